// How much a node needs a package: the tier of data/protected.csv that it is of, or "metapackage". Nobody
// depends on a metapackage; what it stands for counts as no longer wanted once it is gone (apt-get
// autoremove).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ofed/plan/installed.h"

namespace pve_rdma::ofed {

// nullopt: it may go.
std::optional<std::string> tier_of(const InstalledPackage&);
// By its name, where the node's packages may not be known.
std::optional<std::string> tier_of(const Installed*, std::string_view name);

}  // namespace pve_rdma::ofed
