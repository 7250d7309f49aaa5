#include "ofed/stack.h"

#include <algorithm>

#include <fmt/format.h>

#include "ofed/plan/dependents.h"
#include "ofed/stack_faults.h"
#include "ofed/tables.h"

namespace pve_rdma::ofed {

namespace {

// Modules that tell whose driver it is: everything else of a stack stands on one of them.
constexpr std::string_view core_modules[]{"ib_core", "mlx4_core", "mlx5_core"};
// Only the vendor has it, and each of the vendor's modules needs it.
constexpr std::string_view vendor_core = "mlx_compat";

std::string side_of(bool inbox, bool vendor) {
    if (inbox && vendor) return "mixed";
    if (vendor) return "vendor";
    return inbox ? "inbox" : "none";
}

const KernelModule* find_module(const InstalledKernel& kernel, std::string_view name) {
    const auto found = std::ranges::find(kernel.modules, name, &KernelModule::name);
    return found == kernel.modules.end() ? nullptr : &*found;
}

std::string drivers_of(const InstalledKernel& kernel) {
    if (kernel.modules.empty()) return "unknown";
    bool inbox = false, vendor = false;
    for (const auto name : core_modules)
        if (const auto* module = find_module(kernel, name)) {
            const bool own = module->origin == "kernel";
            inbox = inbox || own;
            vendor = vendor || !own;
        }
    return side_of(inbox, vendor);
}

// /proc/modules names what runs, not where it came from. The vendor's core tells that; which of the others
// are the vendor's, modules.dep does. Modules that need none of it run beside it as they were.
std::string loaded_now(const NodeFacts& facts) {
    if (!facts.loaded) return "unknown";
    const auto runs = [&](std::string_view name) {
        return std::ranges::find(*facts.loaded, name) != facts.loaded->end();
    };
    const bool vendor = runs(vendor_core);
    bool any = false, inbox = false;
    for (const auto name : core_modules) {
        if (!runs(name)) continue;
        any = true;
        const auto* kernel = facts.running();
        const auto* module = kernel ? find_module(*kernel, name) : nullptr;
        inbox = inbox || !vendor || (module && module->origin == "kernel" && drivers_of(*kernel) == "mixed");
    }
    if (!any) return "none";
    return side_of(inbox, vendor);
}

std::string libraries_of(const Installed* installed) {
    if (!installed) return "unknown";
    bool inbox = false, vendor = false;
    for (const std::string_view name : {"libibverbs1", "librdmacm1", "libibumad3"})
        if (const auto* package = installed->find(name); package && package->present())
            (is_vendors(*package) ? vendor : inbox) = true;
    return side_of(inbox, vendor);
}

// "24.10.OFED.24.10.2.1.8.1-1" -> "24.10.2.1.8.1"
std::optional<std::string> release_of(const std::vector<VendorPackage>& packages) {
    for (const auto& package : packages) {
        if (!package.name.starts_with("mlnx-ofed-kernel")) continue;
        const auto at = package.version.find("OFED.");
        auto release = at == std::string::npos ? package.version : package.version.substr(at + 5);
        return release.substr(0, release.find('-'));
    }
    return std::nullopt;
}

void note_packages(const Installed& installed, DriverStack& stack) {
    for (std::size_t i = 0; i < installed.size(); ++i) {
        const auto& package = installed.at(i);
        if (!is_vendors(package) || package.state == PackageState::not_installed) continue;
        const auto dependents = direct_dependents(installed, i);
        const bool needed = std::ranges::any_of(
            dependents, [&](std::size_t other) { return !is_vendors(installed.at(other)); });
        stack.packages.push_back({std::string(package.name), std::string(package.version),
                                  std::string(to_string(package.state)), needed});
    }
}

std::string stack_of(const DriverStack& stack) {
    const auto present = [](const VendorPackage& package) { return package.state != "config-files"; };
    const bool doca = std::ranges::any_of(stack.packages, [&](const VendorPackage& package) {
        return present(package) && package.name.starts_with("doca-");
    });
    // No driver runs: what would be loaded counts.
    std::string kernel = stack.loaded;
    if (kernel == "none") {
        const auto running = std::ranges::find(stack.kernels, true, &KernelStack::running);
        kernel = running == stack.kernels.end() ? "unknown" : running->drivers;
    }
    if (kernel == "unknown" || stack.libraries == "unknown") return "unknown";
    const bool vendor = kernel == "vendor" || stack.libraries == "vendor";
    const bool inbox = kernel == "inbox" || stack.libraries == "inbox";
    if (kernel == "mixed" || stack.libraries == "mixed" || (vendor && inbox)) return "mixed";
    if (vendor) return doca ? "DOCA" : "OFED";
    return inbox ? "inbox" : "none";
}

std::string names_of(const std::vector<VendorPackage>& packages, bool needed, std::string_view suffix) {
    std::string list;
    for (const auto& package : packages)
        if (package.needed == needed) list += fmt::format(" {}{}", package.name, suffix);
    return list;
}

void way_back(const NodeFacts& facts, DriverStack& stack) {
    const bool vendor_files = std::ranges::any_of(stack.kernels, [](const KernelStack& one) {
        return one.drivers == "vendor" || one.drivers == "mixed";
    });
    if (stack.packages.empty() && stack.leftovers.empty() && !vendor_files) return;
    auto& steps = stack.back;
    steps.push_back({"Have a console that does not run over the card, and move the guests away",
                     "The card changes its driver with the next boot.",
                     {}});
    if (facts.uninstaller)
        steps.push_back({"Do not run ofed_uninstall.sh",
                         "It removes by name and takes along what depends on it, as the installer does.",
                         {}});
    if (const auto needed = names_of(stack.packages, true, "/\"$VERSION_CODENAME\""); !needed.empty())
        steps.push_back({"Put the distribution's libraries in the vendor's place first",
                         "Packages of the node depend on them: removed, they would take those along.",
                         {". /etc/os-release", "apt-get update",
                          "apt-get install --no-remove --allow-downgrades" + needed}});
    if (const auto rest = names_of(stack.packages, false, ""); !rest.empty())
        steps.push_back({"Remove the vendor's packages, after a look at what goes with them",
                         "Nothing but the vendor's may be in the list.",
                         {"apt-get -s purge" + rest, "apt-get purge" + rest}});
    if (!stack.leftovers.empty()) {
        std::vector<std::string> commands;
        for (const auto& left : stack.leftovers)
            if (!left.remedy.empty()) commands.push_back(left.remedy);
        steps.push_back({"Clear away what is left", "", std::move(commands)});
    }
    steps.push_back({"Boot with the kernel's own driver",
                     "Modules that run now stay until then.",
                     {"depmod -a", "update-initramfs -u -k all", "systemctl reboot"}});
    steps.push_back({"Look again", "", {"pve-rdma ofed status", "pve-rdma diagnose"}});
}

}  // namespace

bool is_vendors(const InstalledPackage& package) {
    for (const std::string_view mark : {"mlnx", "MLNX", "OFED"})
        if (package.version.find(mark) != std::string_view::npos) return true;
    for (const std::string_view begin : {"mlnx-", "doca-", "ofed-scripts", "kernel-mft-dkms"})
        if (package.name.starts_with(begin)) return true;
    return false;
}

DriverStack driver_stack(const NodeFacts& facts, const Installed* installed) {
    DriverStack stack;
    if (installed) note_packages(*installed, stack);
    stack.release = release_of(stack.packages);
    for (const auto& kernel : facts.kernels)
        stack.kernels.push_back({kernel.release, drivers_of(kernel), kernel.running});
    stack.loaded = loaded_now(facts);
    stack.libraries = libraries_of(installed);
    stack.stack = stack_of(stack);
    note_half_done(facts, installed, stack);
    note_leftovers(facts, stack);
    way_back(facts, stack);
    return stack;
}

}  // namespace pve_rdma::ofed
