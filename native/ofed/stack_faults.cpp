#include "ofed/stack_faults.h"

#include <algorithm>

#include <fmt/format.h>

#include "ofed/tables.h"

namespace pve_rdma::ofed {

namespace {

bool is_kernel(std::string_view name) {
    return name.starts_with("proxmox-kernel-") || name.starts_with("pve-kernel-") ||
           name.starts_with("linux-image-");
}

// Packages that dpkg did not bring to an end: the vendor's, and kernels, whose postinst fails with DKMS.
void note_packages(const NodeFacts& facts, const Installed& installed, DriverStack& stack) {
    for (const auto& package : installed.packages()) {
        const bool kernel = is_kernel(package.name);
        if (!kernel && !is_vendors(package)) continue;
        const bool broken =
            package.reinst_required || (package.present() && package.state < PackageState::triggers_awaited);
        const bool marked = !kernel && package.present() && (package.want == 'r' || package.want == 'p');
        if (broken)
            stack.half_done.push_back(
                {std::string(package.name), fmt::format("dpkg left it {}", to_string(package.state)),
                 kernel && !facts.dkms.empty()
                     ? "Its DKMS modules may not build: see `dkms status`, then dpkg --configure -a."
                     : "Look at the cause with dpkg --configure -a; do not use --force."});
        else if (marked)
            stack.half_done.push_back(
                {std::string(package.name), "it is marked for removal and still there",
                 fmt::format("Carry it out, or take the mark away: apt-mark install {}", package.name)});
    }
}

// A node that runs Proxmox's kernel and has lost what makes it a node.
void note_lost_node(const NodeFacts& facts, const Installed& installed, DriverStack& stack) {
    const auto* running = facts.running();
    const auto* node = installed.find("proxmox-ve");
    if (!running || !running->release.ends_with("-pve") || (node && node->present())) return;
    std::string gone;
    for (const auto& package : installed.packages())
        if (package.state == PackageState::config_files && package.name != "proxmox-ve" &&
            !is_kernel(package.name) && protected_tier(package.name))
            gone += fmt::format(" {}", package.name);
    stack.half_done.push_back({"proxmox-ve", "it is not installed, although Proxmox's kernel runs",
                               "Put it back before the next boot: apt-get install proxmox-ve" + gone});
}

void note_kernels(const NodeFacts& facts, DriverStack& stack) {
    const bool built = std::ranges::any_of(
        facts.dkms, [](const std::string& name) { return name.starts_with("mlnx-ofed-kernel/"); });
    for (std::size_t i = 0; i < stack.kernels.size(); ++i) {
        const auto& kernel = stack.kernels[i];
        if (built && kernel.drivers == "inbox" && facts.kernels[i].image.value_or(true))
            stack.half_done.push_back(
                {kernel.release,
                 "DKMS has the vendor's driver, but not for this kernel: it boots with its own",
                 fmt::format("dkms autoinstall -k {}, or go back", kernel.release)});
        if (!kernel.running) continue;
        if (stack.loaded == "vendor" && kernel.drivers == "inbox")
            stack.half_done.push_back({kernel.release, "the vendor's modules run, but their files are gone",
                                       "Reboot: the kernel's own driver is loaded then."});
        if (stack.loaded == "inbox" && kernel.drivers == "vendor")
            stack.half_done.push_back(
                {kernel.release, "the kernel's own modules run; from the next boot on it is the vendor's",
                 "Check it before that boot, with a console at hand, or go back."});
        if (kernel.drivers == "mixed")
            stack.half_done.push_back(
                {kernel.release,
                 "a part of its drivers is the vendor's, and a part its own: they do not fit "
                 "each other's symbols",
                 "Go back, or install a driver that has all parts."});
    }
}

bool any_present(const DriverStack& stack) {
    return std::ranges::any_of(stack.packages,
                               [](const VendorPackage& one) { return one.state != "config-files"; });
}

}  // namespace

void note_half_done(const NodeFacts& facts, const Installed* installed, DriverStack& stack) {
    if (installed) {
        note_packages(facts, *installed, stack);
        note_lost_node(facts, *installed, stack);
    }
    note_kernels(facts, stack);
}

void note_leftovers(const NodeFacts& facts, DriverStack& stack) {
    for (const auto& package : stack.packages)
        if (package.state == "config-files")
            stack.leftovers.push_back({package.name, "removed; its configuration is left",
                                       fmt::format("dpkg --purge {}", package.name)});
    // Files of a driver that is there are no leftovers.
    if (any_present(stack)) return;
    for (const auto& module : facts.dkms)
        if (module.starts_with("mlnx-") || module.starts_with("kernel-mft-dkms/"))
            stack.leftovers.push_back({module,
                                       "DKMS still has it, although no package of the vendor is installed",
                                       fmt::format("dkms remove {} --all", module)});
    for (const auto& kernel : stack.kernels)
        if (kernel.drivers == "vendor" || kernel.drivers == "mixed")
            stack.leftovers.push_back(
                {"/lib/modules/" + kernel.release,
                 "modules of the vendor that no package of the vendor accounts for",
                 fmt::format("find /lib/modules/{} -path '*/updates/*' -name '*mlx*'", kernel.release)});
    for (const auto& path : facts.vendor_files) {
        const auto known = std::ranges::find(vendor_files(), path, &VendorFile::path);
        stack.leftovers.push_back(
            {path, known == vendor_files().end() ? "an apt source of the vendor" : std::string(known->what),
             fmt::format("dpkg -S {0} || mv {0} /root/", path)});
    }
}

}  // namespace pve_rdma::ofed
