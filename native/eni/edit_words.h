// Which words an edit may write, and where in a file it may write them.
#pragma once

#include <set>
#include <string>

#include "eni/change.h"
#include "eni/document.h"

namespace pve_rdma::eni {

Result<void> check_option_name(const std::string&);
Result<void> check_option_value(const std::string&);
// As the kernel takes it (dev_valid_name: 1 to 15 octets, no white space, no slash), with an alias (eth0:1).
Result<void> check_interface_name(const std::string&);

// Whether a line that followed this one would be joined to it, by us or by ifupdown2 (which also joins behind
// a comment, and over blank lines).
bool open_ended(const Document&, const Line&);

// A change that takes whole lines away. A blank line that would be left over goes too; a byte order mark
// stays; where the file had no final line end, it has none afterwards.
Change without_lines(const Document&, const std::set<std::uint32_t>& lines);
// A change that puts `text`, lines joined by line ends and without a last one, behind a line.
Change behind_line(const Document&, const Line&, const std::string& text, const std::string& line_end);

Error located(const Document&, const Line&, ErrorCode, std::string message, std::string hint = {});

}  // namespace pve_rdma::eni
