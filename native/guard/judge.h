// Whether a change would take protected packages off a node.
//
// Pure. Only what the change itself breaks counts: a node that is broken already can be repaired. Threads:
// any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "guard/database.h"
#include "guard/protected_set.h"

namespace pve_rdma::guard {

// A package that comes, or takes the place of its installed version. That its own dependencies are there is
// dpkg's business, and apt's.
struct Incoming {
    std::string name{}, architecture{}, version{};
    std::string provides{}, conflicts{}, breaks{}, replaces{};
    std::string file{};
};

struct Change {
    std::vector<std::string> removed{};  // "libfoo1" or "libfoo1:i386"
    std::vector<Incoming> incoming{};
    // apt has looked at dependencies, and does not tell those of what comes: names alone are judged.
    bool dependencies_hold = false;
};

struct Loss {
    std::string package;
    std::string
        reason;  // "would be removed", "needs librados2, which needs libibverbs1, which would be removed"
};

std::vector<Loss> judge(const std::vector<Package>& installed, const std::vector<Kept>& kept, const Change&);

// Packages that were marked for removal by a program that did not get to it.
std::vector<std::string> marked_for_removal(const std::vector<Package>&, const std::vector<Kept>&);

}  // namespace pve_rdma::guard
