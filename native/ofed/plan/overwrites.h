// Files of a bundle's packages that another package of the node owns: dpkg aborts there, in the middle of the
// installation, unless the package declares that it replaces the owner. Pure but for the lists that are
// handed in.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ofed/bundle/contents.h"
#include "ofed/plan/installed.h"

namespace pve_rdma::ofed {

struct Overwrite {
    std::string package, owner;
    std::vector<std::string> files;  // a few of them
    std::size_t count = 0;
    bool operator==(const Overwrite&) const = default;
};

// Owner by file: of the lists in /var/lib/dpkg/info. Only files that the bundle has are kept.
using FileOwners = std::map<std::string, std::string, std::less<>>;

// `gone` names packages that are removed before the installation.
std::vector<Overwrite> find_overwrites(const std::vector<const BundlePackage*>&, const Installed&,
                                       const FileOwners&, const std::vector<std::string>& gone);

}  // namespace pve_rdma::ofed
