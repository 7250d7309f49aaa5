// Relation fields of Debian packages (Depends, Provides ...): deb-control(5), Debian policy 7. Pure.
//
// The texts are views into the text that was read: they live as long as it does.
#pragma once

#include <string_view>
#include <vector>

namespace pve_rdma::ofed {

enum class Compare { any, less, less_or_equal, equal, greater_or_equal, greater };

// "libc6:any (>= 2.36)"
struct Target {
    std::string_view name, arch, version;
    Compare compare = Compare::any;

    // What stands on the right of a relation holds for a version. False for an unknown version, if one is
    // asked.
    bool takes(std::string_view candidate) const;
    bool operator==(const Target&) const = default;
};

// Alternatives: one of them is enough.
using Group = std::vector<Target>;

// What is no relation is left out: dpkg has refused such a package before. Restrictions in [] and <> are for
// source packages and are skipped. At most 4,096 groups.
std::vector<Group> parse_relations(std::string_view field);

}  // namespace pve_rdma::ofed
