// Kernels: whether the driver builds for them, and what a failing build does: OFED-11, 12, 13, 14, 17, 18.
#include <algorithm>

#include <fmt/format.h>

#include "ofed/check.h"
#include "ofed/rules.h"
#include "ofed/tables.h"

namespace pve_rdma::ofed {

namespace {

using doctor::Certainty;
using doctor::Findings;
using doctor::Severity;

// "6.1" and "6.1.0-31-amd64", not 6.12.
bool of_series(std::string_view kernel, std::string_view series) {
    return kernel.starts_with(series) && (kernel.size() == series.size() || kernel[series.size()] == '.');
}

void check_series(const Situation& of, const std::string& kernel, Findings& out) {
    const auto marker = of.vendor && of.vendor->distro ? *of.vendor->distro : of.in.facts.distro.value_or("");
    for (const auto& stock : stock_kernels())
        if (marker.starts_with(stock.marker) && !of_series(kernel, stock.series))
            out.add(kernel, fmt::format("The driver is tested with the kernel {} of {}; this is {}.",
                                        stock.series, marker, kernel))
                .as(Certainty::likely);
}

void check_branch(const Situation& of, const std::string& kernel, Findings& out) {
    out.speak_for(check_rule("OFED-11"), of.in.node.name);
    if (!of.release) return out.unknown("the driver's release is not known");
    for (const auto& limit : kernel_limits())
        if (release_at_least(*of.release, limit.first) && release_at_most(*of.release, limit.last) &&
            kernel_at_least(kernel, limit.kernel))
            out.add(kernel, fmt::format("Driver {} does not build for kernels from {} on; this is {}.",
                                        *of.release, limit.kernel, kernel))
                .because("/system/kernel_release", of.in.node.report.system.kernel_release)
                .as(limit.certain ? Severity::error : Severity::warning);
}

void check_tested(const Situation& of, const std::string& kernel, Findings& out) {
    out.speak_for(check_rule("OFED-12"), of.in.node.name);
    if (kernel.ends_with("-pve")) {
        out.add(
            kernel,
            fmt::format("No release of the vendor's driver names a kernel of Proxmox; this is {}.", kernel));
        return;
    }
    for (const auto& other : of.in.facts.kernels)
        if (other.running || other.image.value_or(false)) check_series(of, other.release, out);
}

bool can_build(const InstalledKernel& kernel) {
    return kernel.headers.value_or(false) && kernel.symvers.value_or(false);
}

std::string missing_of(const InstalledKernel& kernel) {
    return kernel.headers.value_or(false) ? "no Module.symvers" : "no headers";
}

std::string headers_package(const std::string& release) {
    if (!release.ends_with("-pve")) return "linux-headers-" + release;
    return (kernel_at_least(release, "6.2") ? "proxmox-headers-" : "pve-headers-") + release;
}

void check_headers(const Situation& of, Findings& out) {
    out.speak_for(check_rule("OFED-13"), of.in.node.name);
    if (!of.in.facts.running()) out.unknown("the running kernel's modules folder is not there");
    for (const auto& kernel : of.in.facts.kernels) {
        const bool matters = kernel.running || kernel.image.value_or(false);
        if (!matters || can_build(kernel)) continue;
        if (!kernel.headers || !kernel.symvers) {
            out.unknown("whether the kernel's headers are there is not known");
            continue;
        }
        const std::string package = headers_package(kernel.release);
        out.add(kernel.release,
                fmt::format("{} for {} kernel {}: DKMS cannot build for it.", missing_of(kernel),
                            kernel.running ? "the running" : "the installed", kernel.release))
            .as(kernel.running && of.replaces_core ? Severity::error : Severity::warning)
            .do_this(fmt::format("Install {}.", package));
    }
}

// Headers without a kernel: DKMS goes on building for it.
void check_orphans(const Situation& of, Findings& out) {
    out.speak_for(check_rule("OFED-14"), of.in.node.name);
    for (const auto& kernel : of.in.facts.kernels)
        if (!kernel.running && !kernel.image.value_or(true) && kernel.headers.value_or(false))
            out.add(kernel.release,
                    fmt::format("Headers of {} are there, its image is not.", kernel.release));
}

void check_autoinstall(const Situation& of, Findings& out) {
    if (of.in.flags.add_kernel_support) return;  // built once
    out.speak_for(check_rule("OFED-17"), of.in.node.name);
    for (const auto* package : of.packages) {
        const bool automatic = std::ranges::any_of(package->dkms, &DkmsConf::autoinstall) ||
                               (package->dkms.empty() && package->name.ends_with("-dkms"));
        if (!automatic) continue;
        out.add(package->name,
                fmt::format("{} is built for every kernel that is installed later; when that fails, "
                            "{} stays unconfigured.",
                            package->name, of.on_proxmox() ? "proxmox-kernel" : "the kernel package"));
        return;  // one is enough to say it
    }
}

void check_secure_boot(const Situation& of, Findings& out) {
    out.speak_for(check_rule("OFED-18"), of.in.node.name);
    const auto& state = of.in.node.report.system.secure_boot;
    if (!state) return out.unknown("whether Secure Boot is on could not be read");
    if (*state != "enabled") return;
    out.add("Secure Boot",
            "Secure Boot is on, and the modules are built here: unless the key that signs them is "
            "enrolled, the kernel refuses them and the card has no driver after the reboot.")
        .because("/system/secure_boot", state);
}

// The compiler of the kernel must be there, or DKMS builds with another.
void check_compiler(const Situation& of, Findings& out) {
    out.speak_for(check_rule("OFED-13"), of.in.node.name);
    const auto* running = of.in.facts.running();
    if (!running || !running->compiler || !of.in.installed) return;
    const auto* package = of.in.installed->find(*running->compiler);
    if (!running->compiler->starts_with("gcc-") || (package && package->present())) return;
    out.add(running->release,
            fmt::format("The kernel was built with {}, which is not installed.", *running->compiler))
        .as(Severity::warning)
        .as(Certainty::likely)
        .do_this(fmt::format("Install {}.", *running->compiler));
}

}  // namespace

void check_kernels(const Situation& of, Findings& out) {
    if (!of.builds && !of.replaces_core) return;
    const auto& kernel = of.in.node.report.system.kernel_release;
    if (of.replaces_core) {
        out.speak_for(check_rule("OFED-11"), of.in.node.name);
        if (!kernel) out.unknown("the running kernel is not known");
        if (kernel) check_branch(of, *kernel, out);
        if (kernel) check_tested(of, *kernel, out);
    }
    if (!of.builds) return;
    check_headers(of, out);
    check_orphans(of, out);
    check_compiler(of, out);
    check_autoinstall(of, out);
    if (of.replaces_core) check_secure_boot(of, out);
}

}  // namespace pve_rdma::ofed
