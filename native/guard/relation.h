// Relations between packages, as in Depends and Conflicts: deb-control(5).
//
// Pure. Texts lie in the text that was given. Threads: any.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace pve_rdma::guard {

// "libc6:any (>= 2.36)". The architecture is left out: the guard asks whether a package of that name stays.
struct Relation {
    std::string_view name;
    std::string_view operation;  // one of << <= = >= >>, or empty; < and > mean <= and >= as for dpkg
    std::string_view version;
};

// "a | b, c" without the spaces: the next group of alternatives, or the next alternative of a group. Empty
// parts are passed over.
std::optional<std::string_view> take_part(std::string_view& text, char separator);

Relation parse_relation(std::string_view text);

bool version_fits(const Relation&, std::string_view version);

// Whether a package of that name, version and Provides field fits. A provided name has the version that
// Provides gives it, and none otherwise: then it fits no relation with a version.
bool fits(const Relation&, std::string_view name, std::string_view version, std::string_view provides);

}  // namespace pve_rdma::guard
