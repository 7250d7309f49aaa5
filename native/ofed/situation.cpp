#include <algorithm>

#include "ofed/bundle/control.h"
#include "ofed/check.h"
#include "ofed/plan/selection.h"

namespace pve_rdma::ofed {

namespace {

// "24.10.OFED.24.10.2.1.8.1-1" -> "24.10": what an index or single packages tell of the driver's release.
std::optional<std::string> release_of(const std::vector<const BundlePackage*>& packages) {
    for (const std::string_view name :
         {"mlnx-ofed-kernel-dkms", "mlnx-ofed-kernel-modules", "mlnx-ofed-kernel-utils"})
        for (const auto* package : packages)
            if (package->name == name) {
                const auto at = package->version.find("OFED.");
                return at == std::string::npos ? package->version : package->version.substr(at + 5);
            }
    return std::nullopt;
}

std::string debian_of(const NodeFacts& facts) {
    return facts.point_release.value_or("");
}

}  // namespace

Situation::Situation(const CheckInput& input) : in(input) {
    for (const auto& bundle : in.bundles)
        if (!vendor && has_installer(bundle)) vendor = &bundle;
    for (const auto& bundle : in.bundles)
        for (const auto* package : selected_packages(bundle, in.flags))
            packages.push_back(package);
    if (const auto* asked = plan(plan_packages); asked && in.bundles.empty()) {
        for (const auto& change : asked->changes)
            if (change.action != "remove")
                from_plan.push_back({.name = change.name,
                                     .version = change.to.value_or(""),
                                     .architecture = change.arch,
                                     .path = {},
                                     .control = {},
                                     .dkms = {},
                                     .modules = {},
                                     .kernels = {},
                                     .files = {}});
        for (const auto& package : from_plan)
            packages.push_back(&package);
    }
    if (vendor && vendor->release) release = vendor->release;
    if (!release) release = release_of(packages);
    if (vendor) {
        installer = vendor->installer;
        if (!installer && release) installer = known_installer(*release, debian_of(in.facts));
        if (installer && in.installed && !in.flags.check_only && !in.flags.fw_update_only)
            removal = emulate_removal(*in.installed, *installer, in.flags);
    }
    replaced = replaced_modules(packages);
    replaces_core = replaces("ib_core") || replaces("mlx5_core") || replaces("mlx4_core");
    builds = std::ranges::any_of(packages, [](const BundlePackage* package) {
        return !package->dkms.empty() || package->name.ends_with("-dkms");
    });
    if (const auto* running = in.facts.running()) lost = lost_modules(*running, replaced, in.facts);
}

const AptPlan* Situation::plan(std::string_view id) const {
    const auto found = std::ranges::find(in.plans, id, &AptPlan::id);
    return found == in.plans.end() ? nullptr : &*found;
}

bool Situation::replaces(std::string_view module) const {
    return std::ranges::find(replaced, module, &ReplacedModule::name) != replaced.end();
}

bool Situation::on_proxmox() const {
    const auto* manager = in.installed ? in.installed->find("pve-manager") : nullptr;
    return (manager && manager->present()) || in.node.report.system.proxmox_version.has_value() ||
           in.node.report.system.kernel_release.value_or("").ends_with("-pve");
}

}  // namespace pve_rdma::ofed
