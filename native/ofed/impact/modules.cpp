#include "ofed/impact/modules.h"

#include <algorithm>

namespace pve_rdma::ofed {

namespace {

// "mlnx-nvme-dkms" -> "mlnx-nvme"
std::string_view base_of(std::string_view package) {
    for (const std::string_view suffix : {"-dkms", "-modules"})
        if (package.ends_with(suffix)) return package.substr(0, package.size() - suffix.size());
    return {};
}

void add(std::vector<ReplacedModule>& list, std::string name, const std::string& package, bool from_table) {
    if (std::ranges::find(list, name, &ReplacedModule::name) == list.end())
        list.push_back({std::move(name), package, from_table});
}

const ModuleUser* user_of(std::string_view module) {
    const auto users = module_users();
    const auto found = std::ranges::find(users, module, &ModuleUser::module);
    return found == users.end() ? nullptr : &*found;
}

// Modules that come with the same packages as the core and are rebuilt with it on purpose: the kernel's own
// copies are overruled, whatever they need.
bool is_replaced(const std::vector<ReplacedModule>& replaced, std::string_view name) {
    return std::ranges::find(replaced, name, &ReplacedModule::name) != replaced.end();
}

bool is_loaded(const NodeFacts& node, std::string_view name) {
    return node.loaded && std::ranges::find(*node.loaded, name) != node.loaded->end();
}

bool is_proxmox(const InstalledKernel& kernel) {
    return kernel.release.ends_with("-pve");
}

}  // namespace

std::vector<ReplacedModule> replaced_modules(const std::vector<const BundlePackage*>& packages) {
    std::vector<ReplacedModule> replaced;
    for (const auto* package : packages) {
        for (const auto& conf : package->dkms)
            for (const auto& module : conf.modules)
                add(replaced, module, package->name, false);
        for (const auto& module : package->modules)
            add(replaced, module, package->name, false);
        if (!package->dkms.empty() || !package->modules.empty()) continue;
        const auto base = base_of(package->name);
        for (const auto& known : package_modules()) {
            if (known.package != base) continue;
            for (auto rest = known.modules; !rest.empty();) {
                const auto end = std::min(rest.find(' '), rest.size());
                add(replaced, std::string(rest.substr(0, end)), package->name, true);
                rest.remove_prefix(std::min(end + 1, rest.size()));
            }
        }
    }
    return replaced;
}

std::vector<LostModule> lost_modules(const InstalledKernel& kernel,
                                     const std::vector<ReplacedModule>& replaced, const NodeFacts& node) {
    std::vector<LostModule> lost;
    const auto consider = [&](std::string_view name, auto&& needs_one) {
        if (is_replaced(replaced, name)) return;
        LostModule module{std::string(name), kernel.release, {}, is_loaded(node, name), user_of(name)};
        for (const auto& one : replaced)
            if (needs_one(one.name)) module.needs.push_back(one.name);
        if (!module.needs.empty()) lost.push_back(std::move(module));
    };
    for (const auto& module : kernel.modules)
        if (module.origin == "kernel" || module.origin == "extra" || module.origin == "dkms" ||
            module.origin == "updates")
            consider(module.name, [&](const std::string& name) {
                return std::ranges::find(module.needs, name) != module.needs.end();
            });
    if (kernel.modules.empty())
        for (const auto& user : module_users())
            if (!user.only_proxmox || is_proxmox(kernel))
                consider(user.module, [&](const std::string& name) { return has_word(user.needs, name); });
    std::ranges::sort(lost, {}, [](const LostModule& module) {
        return std::tuple(!module.loaded, module.user == nullptr, module.name);
    });
    return lost;
}

}  // namespace pve_rdma::ofed
