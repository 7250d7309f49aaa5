// Typed edits of one file. Each returns the change it would make; none makes it.
//
// An edit touches the octets of what it changes and no others, writes what it adds in the style of its
// surroundings (style.h), and is proved before it is returned (proof.h). ErrorCode::bad_request: the words
// asked for cannot stand in such a file. not_found: there is no such option or stanza. conflict: there are
// several, or one already. malformed: the surroundings do not allow it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "eni/change.h"
#include "eni/document.h"

namespace pve_rdma::eni {

// Stanzas are indexes into Document::stanzas(). Option names match in either spelling (bridge_ports).

// Gives the option this value: where it stands once, its value is replaced; where it is absent, it is added
// behind the last option.
Result<Change> set_option(const Document&, std::uint32_t stanza, const std::string& option,
                          const std::string& value);
// A further line of an option that may stand several times (address, post-up).
Result<Change> add_option(const Document&, std::uint32_t stanza, const std::string& option,
                          const std::string& value);
// Its line goes; with `value`, the first line that has that value.
Result<Change> remove_option(const Document&, std::uint32_t stanza, const std::string& option,
                             const std::optional<std::string>& value = {});

struct NewStanza {
    std::string name{}, family{}, method{};  // family and method may both be empty
    std::vector<std::pair<std::string, std::string>> options{};
    bool automatic = true;  // with an `auto` line
};

// At the end of the file.
Result<Change> add_stanza(const Document&, const NewStanza&);
// "static" for "manual", say; the header must name family and method.
Result<Change> set_method(const Document&, std::uint32_t stanza, const std::string& method);
// The stanza's lines and the comments inside it; nothing else.
Result<Change> remove_stanza(const Document&, std::uint32_t stanza);
// All its iface stanzas, and its name in auto, allow-*, no-auto-down and no-scripts lines.
Result<Change> remove_interface(const Document&, const std::string& name);
// In the same places, and in the options that name other interfaces (bridge-ports, bond-slaves ...). Commands
// are not looked into.
Result<Change> rename_interface(const Document&, const std::string& from, const std::string& to);

// Behind the last line of that kind, else at the end. The path must be absolute.
Result<Change> add_source(const Document&, const std::string& pattern);
Result<Change> remove_source(const Document&, const std::string& pattern);

}  // namespace pve_rdma::eni
