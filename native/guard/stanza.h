// Stanzas of deb822(5), as dpkg writes its status file and the control file of a package.
//
// Pure. Texts lie in the text that was given. A line that fits no rule is passed over: dpkg itself refuses
// such a file. Threads: any.
#pragma once

#include <optional>
#include <string_view>

#include "base/trimmed.h"

namespace pve_rdma::guard {

struct Field {
    std::string_view name, value;  // value: with its continuation lines and blanks at both ends, see trimmed
};

// The next field of a stanza, which is shortened by it.
std::optional<Field> take_field(std::string_view& stanza);

// Names of fields are alike in any case.
bool same_letters(std::string_view left, std::string_view right);
inline bool same_name(std::string_view left, std::string_view right) {
    return left.size() == right.size() && same_letters(left, right);
}

}  // namespace pve_rdma::guard
