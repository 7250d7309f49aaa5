// The words after `mlnxofedinstall`, as far as they decide what it does to the node. Source: its own parser,
// the same in 4.1 to about 26.x. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pve_rdma::ofed {

struct InstallerFlags {
    std::vector<std::string> words;  // as given
    bool force = false, quiet = false;
    bool kernel_only = false, user_space_only = false;
    bool add_kernel_support = false;
    bool without_dkms = false;
    bool with_nvmf = false, with_nfsrdma = false;
    bool open_vswitch = false;  // --ovs, --ovs-dpdk, --with-openvswitch, --bluefield
    bool without_fw_update = false, fw_update_only = false, force_fw_update = false;
    bool skip_distro_check = false, skip_device_check = false;
    bool without_depcheck = false,
         check_only = false;  // check_only: --check-deps-only, --print-available ...
    bool upstream_libs = false, mlnx_libs = false;
    std::string distro;                      // of --distro
    std::string set = "all";                 // all, basic, hpc, hypervisor, guest, dpdk, vma, eth-only, ...
    std::vector<std::string> with, without;  // --with-PKG, --without-PKG
    std::vector<std::string> unknown;        // words that no known installer takes

    static InstallerFlags parse(const std::vector<std::string>& words);
};

}  // namespace pve_rdma::ofed
