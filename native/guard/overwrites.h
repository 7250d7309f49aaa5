// Files of protected packages, and of what they need, that other packages would overwrite.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "guard/judge.h"

namespace pve_rdma::guard {

// The installed packages that are protected or that those need: by index, true for each.
std::vector<bool> needed_packages(const std::vector<Package>& installed, const std::vector<Kept>&);

// A package that is needed itself may take over files by its Replaces field, as upgrades of Proxmox do; with
// `approved_by_apt` any package may.
Result<std::vector<Loss>> overwrites(const std::string& admindir, const std::vector<Package>& installed,
                                     const std::vector<Kept>&, const std::vector<Incoming>&,
                                     bool approved_by_apt);

}  // namespace pve_rdma::guard
