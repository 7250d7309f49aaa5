// Kernel modules beside the vendor's: OFED-15, 16, 21.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ofed/check.h"
#include "ofed/rules.h"
#include "ofed/tables.h"

namespace pve_rdma::ofed {

namespace {

using doctor::Certainty;
using doctor::Findings;
using doctor::Severity;

// What of the node's configuration and mounts needs the module.
std::vector<std::string> uses_of(const Situation& of, std::string_view module) {
    std::vector<std::string> uses;
    const auto& system = of.in.node.report.system;
    for (const auto& storage : system.storages) {
        if (storage.disabled) continue;
        if ((module == "cifs" && storage.type == "cifs") ||
            (module == "rpcrdma" && storage.type == "nfs" && storage.rdma.value_or(false)))
            uses.push_back(fmt::format("storage {}", storage.id));
    }
    if (of.in.facts.mounts)
        for (const auto& mount : *of.in.facts.mounts)
            if ((module == "cifs" && (mount.type == "cifs" || mount.type == "smb3")) ||
                (module == "rpcrdma" && mount.type.starts_with("nfs") && mount.rdma) ||
                (module == "9pnet_rdma" && mount.type == "9p" && mount.rdma) ||
                (module == "ko2iblnd" && mount.type == "lustre"))
                uses.push_back(fmt::format("mount {}", mount.target));
    return uses;
}

void check_lost(const Situation& of, Findings& out) {
    out.speak_for(check_rule("OFED-15"), of.in.node.name);
    if (!of.in.facts.running()) return out.unknown("the running kernel's module index could not be read");
    if (!of.in.facts.loaded) out.unknown("which modules are loaded could not be read");
    std::vector<std::string> others;
    for (const auto& module : of.lost) {
        if (!module.user) {
            if (!module.loaded) continue;
        }
        const auto uses = uses_of(of, module.name);
        if (!module.loaded && uses.empty() && module.name != "cifs") {
            others.push_back(module.name);
            continue;
        }
        auto& finding = out.add(
            module.name, fmt::format("{} cannot be loaded beside the vendor's {} on {}{}{}.", module.name,
                                     fmt::join(module.needs, ", "), module.kernel,
                                     module.user ? fmt::format(": {}", module.user->users) : "",
                                     uses.empty() ? "" : fmt::format(" ({})", fmt::join(uses, ", "))));
        if (module.user) finding.do_this(fmt::format("Before the change: {}.", module.user->remedy));
        finding.as(module.loaded || !uses.empty() || module.name == "cifs" ? Severity::warning
                                                                           : Severity::info);
        const auto* running = of.in.facts.running();
        if (running && running->modules.empty()) finding.as(Certainty::likely);
    }
    if (!others.empty())
        out.add("modules",
                fmt::format("Not in use now, and not loadable afterwards: {}.", fmt::join(others, ", ")))
            .as(Severity::info);
}

void check_others(const Situation& of, Findings& out) {
    out.speak_for(check_rule("OFED-16"), of.in.node.name);
    for (const auto& other : third_parties()) {
        const auto* package = of.in.installed ? of.in.installed->find(other.package) : nullptr;
        const bool loaded = of.in.facts.loaded &&
                            std::ranges::find(*of.in.facts.loaded, other.module) != of.in.facts.loaded->end();
        const bool built = std::ranges::any_of(of.in.facts.dkms, [&](const std::string& one) {
            return one.starts_with(std::string(other.package.substr(0, other.package.find("-dkms"))) + "/");
        });
        if ((!package || !package->present()) && !loaded && !built) continue;
        out.add(std::string(other.package),
                fmt::format("{} ({}) is built against the kernel's own RDMA or NVMe core.", other.what,
                            other.module))
            .as(other.warning ? Severity::warning : Severity::info);
    }
}

void check_nvme(const Situation& of, Findings& out) {
    out.speak_for(check_rule("OFED-21"), of.in.node.name);
    const bool replaces = of.replaces("nvme") || of.replaces("nvme_core");
    if (!replaces) return;
    const auto* running = of.in.facts.running();
    const bool built_in = running && std::ranges::find(running->built_in, "nvme") != running->built_in.end();
    if (built_in) {
        out.add("nvme", "The kernel has nvme built in: the vendor's cannot take its place.");
        return;
    }
    if (!of.in.facts.root_on_nvme) {
        out.unknown("whether the root lies on NVMe could not be read");
        return;
    }
    if (*of.in.facts.root_on_nvme) {
        out.add("nvme", "The vendor's NVMe driver would be the one that the root disk is read with.");
        return;
    }
    out.add("nvme", "The NVMe driver is replaced: nvme-rdma comes only after nvme has been reloaded.")
        .as(Severity::warning)
        .do_this("Reboot in place of a reload.");
}

// Releases whose openibd looks at nvme before it stops anything.
void check_swap(const Situation& of, Findings& out) {
    out.speak_for(check_rule("OFED-21"), of.in.node.name);
    if (of.release && release_at_least(*of.release, "26.7") && of.in.facts.root_on_nvme.value_or(false) &&
        !of.replaces("nvme"))
        out.add("openibd",
                fmt::format("The openibd of {} takes the root's NVMe driver for its own and refuses to stop.",
                            *of.release))
            .as(Severity::warning)
            .do_this("Change drivers by a reboot.");
}

}  // namespace

void check_modules(const Situation& of, Findings& out) {
    if (of.replaced.empty()) return;
    if (of.replaces_core || of.replaces("nvme_core") || of.replaces("rpcrdma")) {
        check_lost(of, out);
        check_others(of, out);
    }
    check_nvme(of, out);
    if (of.replaces_core) check_swap(of, out);
}

}  // namespace pve_rdma::ofed
