// What apt is going to do, as it tells hooks of DPkg::Pre-Install-Pkgs in version 3 of that protocol
// (apt.conf(5), apt-pkg/deb/dpkgpm.cc): a line "VERSION 3", lines of configuration, an empty line, and one
// line for each package.
//
// Pure. Threads: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace pve_rdma::guard {

struct AptStep {
    std::string name, architecture;
    std::string old_version, new_version;  // empty: not installed before, or after
    bool removal = false;                  // else it is unpacked or configured
};

struct AptPlan {
    std::string status_file;  // the dpkg status file that it is about; empty when apt does not say
    std::vector<AptStep> steps;
};

inline constexpr std::size_t max_apt_plan = 64u << 20;

Result<AptPlan> read_apt_plan(std::string_view text);

}  // namespace pve_rdma::guard
