// The two files that switch the guard on. Both name the guard's program so that dpkg and apt work as ever
// when it is not there: the files may outlive the package.
//
// Pure. Threads: any.
#pragma once

#include <array>
#include <string_view>

namespace pve_rdma::guard {

inline constexpr std::string_view program = "/usr/libexec/pve-rdma/pve-rdma-guard";

struct Hook {
    std::string_view name;  // of the program that it hooks
    std::string_view path, text;
};

// In the order in which they are written: dpkg's first, since it alone stops everything.
inline constexpr std::array<Hook, 2> hooks{{
    {"dpkg", "/etc/dpkg/dpkg.cfg.d/pve-rdma-guard",
     "# Written by `pve-rdma ofed guard on`; `pve-rdma ofed guard off` takes it away.\n"
     "pre-invoke=[ ! -x /usr/libexec/pve-rdma/pve-rdma-guard ] || /usr/libexec/pve-rdma/pve-rdma-guard "
     "dpkg\n"},
    // apt looks for the protocol's version under the command's first word.
    {"apt", "/etc/apt/apt.conf.d/50pve-rdma-guard",
     "// Written by `pve-rdma ofed guard on`; `pve-rdma ofed guard off` takes it away.\n"
     "DPkg::Pre-Install-Pkgs { \"/usr/libexec/pve-rdma/pve-rdma-guard apt"
     " || [ ! -x /usr/libexec/pve-rdma/pve-rdma-guard ]\"; };\n"
     "DPkg::Tools::Options::/usr/libexec/pve-rdma/pve-rdma-guard::Version \"3\";\n"},
}};

}  // namespace pve_rdma::guard
