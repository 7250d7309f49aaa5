// Reading and writing of small files by a program that may not have much to rely on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace pve_rdma::guard {

// ErrorCode::malformed for a file that is larger than `limit` octets.
Result<std::string> read_text(const std::string& path, std::size_t limit);

// All that comes until the other end is closed.
Result<std::string> read_text(int fd, const std::string& name, std::size_t limit);

// Text files of a folder whose names do not begin with a dot, in the order of their names. A folder
// that is not there holds none.
Result<std::vector<std::string>> read_folder(const std::string& path, std::size_t limit);

// The path for a file below `folder`, which is made when it is not there.
Result<std::string> place_in(const std::string& folder, std::string_view name);

// The new content or the old one, never a part of it; not synced, since /run does not outlive a power cut.
Result<void> put_text(const std::string& path, std::string_view content);

}  // namespace pve_rdma::guard
