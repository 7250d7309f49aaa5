#include "ofed/plan/installer_flags.h"

#include <algorithm>
#include <utility>

namespace pve_rdma::ofed {

namespace {

using Flag = bool InstallerFlags::*;

constexpr std::pair<std::string_view, Flag> switches[]{
    {"--force", &InstallerFlags::force},
    {"-q", &InstallerFlags::quiet},
    {"--kernel-only", &InstallerFlags::kernel_only},
    {"--user-space-only", &InstallerFlags::user_space_only},
    {"--add-kernel-support", &InstallerFlags::add_kernel_support},
    {"--auto-add-kernel-support", &InstallerFlags::add_kernel_support},
    {"--without-dkms", &InstallerFlags::without_dkms},
    {"--with-nvmf", &InstallerFlags::with_nvmf},
    {"--with-nfsrdma", &InstallerFlags::with_nfsrdma},
    {"--ovs", &InstallerFlags::open_vswitch},
    {"--ovs-dpdk", &InstallerFlags::open_vswitch},
    {"--with-openvswitch", &InstallerFlags::open_vswitch},
    {"--bluefield", &InstallerFlags::open_vswitch},
    {"--without-fw-update", &InstallerFlags::without_fw_update},
    {"--guest", &InstallerFlags::without_fw_update},
    {"--fw-update-only", &InstallerFlags::fw_update_only},
    {"--force-fw-update", &InstallerFlags::force_fw_update},
    {"--skip-distro-check", &InstallerFlags::skip_distro_check},
    {"--skip-unsupported-devices-check", &InstallerFlags::skip_device_check},
    {"--without-depcheck", &InstallerFlags::without_depcheck},
    {"--check-deps-only", &InstallerFlags::check_only},
    {"--print-available", &InstallerFlags::check_only},
    {"-p", &InstallerFlags::check_only},
    {"--print-distro", &InstallerFlags::check_only},
    {"--help", &InstallerFlags::check_only},
    {"-h", &InstallerFlags::check_only},
    {"--upstream-libs", &InstallerFlags::upstream_libs},
    {"--mlnx-libs", &InstallerFlags::mlnx_libs},
};

constexpr std::string_view sets[]{"--all",     "--basic",   "--hpc",      "--hypervisor", "--guest",
                                  "--dpdk",    "--vma",     "--xlio",     "--msm",        "--eth-only",
                                  "--vma-eth", "--vma-vpi", "--bluefield"};

// They change nothing that this product looks at.
constexpr std::string_view harmless[]{"--dkms",
                                      "--force-dkms",
                                      "--umad-dev-rw",
                                      "--umad-dev-na",
                                      "--enable-mlnx_tune",
                                      "--enable-affinity",
                                      "--disable-affinity",
                                      "--enable-opensm",
                                      "--copy-ifnames-udev",
                                      "--skip-repo",
                                      "--enable-sriov",
                                      "--with-debug-symbols",
                                      "--without-debug-symbols",
                                      "-v",
                                      "-vv",
                                      "-vvv",
                                      "--without-nfsrdma"};

constexpr std::string_view with_value[]{"--distro",
                                        "--tmpdir",
                                        "-k",
                                        "--kernel",
                                        "-s",
                                        "--kernel-sources",
                                        "-c",
                                        "--config",
                                        "-n",
                                        "--net",
                                        "--package-install-options",
                                        "--fw-dir",
                                        "--fw-image-dir",
                                        "--post-start-delay"};

template <class List>
bool contains(const List& list, std::string_view word) {
    return std::ranges::find(list, word) != std::end(list);
}

}  // namespace

InstallerFlags InstallerFlags::parse(const std::vector<std::string>& words) {
    InstallerFlags flags;
    flags.words = words;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        bool known = false;
        for (const auto& [name, flag] : switches)
            if (word == name) flags.*flag = known = true;
        if (contains(sets, word)) {
            flags.set = word.substr(2);
            known = true;
        }
        if (contains(with_value, word) || word.starts_with("--pre-install-") ||
            word.starts_with("--post-install-")) {
            if (word == "--distro" && i + 1 < words.size()) flags.distro = words[i + 1];
            ++i;
            continue;
        }
        if (known || contains(harmless, word)) continue;
        if (word.starts_with("--without-") || word.starts_with("--disable-"))
            flags.without.emplace_back(word.substr(10));
        else if (word.starts_with("--with-"))
            flags.with.emplace_back(word.substr(7));
        else if (word.starts_with("--enable-"))
            flags.with.emplace_back(word.substr(9));
        else
            flags.unknown.emplace_back(word);
    }
    if (flags.add_kernel_support) flags.without_dkms = true;
    return flags;
}

}  // namespace pve_rdma::ofed
