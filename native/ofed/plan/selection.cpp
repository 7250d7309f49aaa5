#include "ofed/plan/selection.h"

#include <algorithm>
#include <set>

namespace pve_rdma::ofed {

namespace {

bool is_kernel_package(std::string_view name) {
    return name.ends_with("-dkms") || name.ends_with("-modules");
}

// Kernel parts that are installed only when a flag asks for them.
bool wanted_part(std::string_view name, const InstallerFlags& flags) {
    if (name.starts_with("mlnx-nvme")) return flags.with_nvmf;
    if (name.starts_with("mlnx-nfsrdma")) return flags.with_nfsrdma;
    if (name.starts_with("mlnx-rdma-rxe") || name.starts_with("mlnx-sdp") || name.starts_with("mlnx-rds"))
        return false;
    return true;
}

bool of_kernel_part(std::string_view name) {
    return is_kernel_package(name) || name == "mlnx-tools" || name == "ofed-scripts" || name == "knem" ||
           name == "mlnx-ofed-kernel-utils" || name == "mlnx-en-utils";
}

bool contains(const std::vector<std::string>& list, std::string_view name) {
    return std::ranges::find(list, name) != list.end();
}

// --without-iser leaves iser-dkms in: the suffix must be said (which is why people are surprised).
bool left_out(std::string_view name, const InstallerFlags& flags) {
    return contains(flags.without, name) ||
           (name.ends_with("-modules") && !flags.without_dkms && !flags.add_kernel_support);
}

std::string folder_of(std::string_view path) {
    const auto slash = path.rfind('/');
    return slash == std::string_view::npos ? "" : std::string(path.substr(0, slash));
}

bool other_library_set(const BundlePackage& package, bool upstream) {
    const std::string folder = folder_of(package.path);
    return folder.find(upstream ? "MLNX_LIBS" : "UPSTREAM_LIBS") != std::string::npos;
}

bool selected(const BundlePackage& package, const InstallerFlags& flags, bool upstream) {
    const std::string_view name = package.name;
    if (other_library_set(package, upstream) || left_out(name, flags)) return false;
    if (name.starts_with("mlnx-ofed-") && !is_kernel_package(name) && name != "mlnx-ofed-kernel-utils")
        return false;  // metapackages for apt
    if (contains(flags.with, name)) return true;
    if (name == "mlnx-fw-updater") return !flags.without_fw_update;
    if (flags.kernel_only && !of_kernel_part(name)) return false;
    if (flags.user_space_only && is_kernel_package(name)) return false;
    // --add-kernel-support builds from the same sources, once and for the running kernel: they stand for it.
    if (flags.without_dkms && !flags.add_kernel_support && name.ends_with("-dkms")) return false;
    if ((name.starts_with("openvswitch") || name.starts_with("libopenvswitch") ||
         name.starts_with("mlnx-dpdk")) &&
        !flags.open_vswitch)
        return false;
    return wanted_part(name, flags);
}

}  // namespace

bool has_installer(const Bundle& bundle) {
    return bundle.installer.has_value() || bundle.release.has_value();
}

std::vector<const BundlePackage*> selected_packages(const Bundle& bundle, const InstallerFlags& flags) {
    std::vector<const BundlePackage*> packages;
    const bool upstream =
        flags.upstream_libs || (!flags.mlnx_libs && bundle.installer && bundle.installer->upstream_libs);
    if (flags.fw_update_only && has_installer(bundle)) return packages;
    for (const auto& package : bundle.packages)
        if (!has_installer(bundle) || selected(package, flags, upstream)) packages.push_back(&package);
    return packages;
}

std::vector<std::string> prerequisites(const Bundle& bundle, const InstallerFlags& flags) {
    std::vector<std::string> names;
    if (!bundle.installer || flags.without_depcheck || flags.fw_update_only) return names;
    std::set<std::string> seen;
    const auto add = [&](const std::vector<std::string>& list) {
        for (const auto& name : list)
            if (seen.insert(name).second) names.push_back(name);
    };
    add(bundle.installer->required);
    std::vector<std::string> packages;
    for (const auto* package : selected_packages(bundle, flags))
        packages.push_back(package->name);
    if (flags.open_vswitch)
        for (const auto& name : bundle.installer->open_vswitch)
            packages.push_back(name);
    for (const auto& name : packages)
        if (const auto found = bundle.installer->requires_of.find(name);
            found != bundle.installer->requires_of.end())
            add(found->second);
    return names;
}

}  // namespace pve_rdma::ofed
