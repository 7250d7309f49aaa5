#include "ofed/steps.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ofed/tables.h"

namespace pve_rdma::ofed {

namespace {

using doctor::Finding;
using doctor::Severity;

// Faults that no flag and no preparation takes away.
bool is_final(const Finding& finding) {
    return finding.severity == Severity::error && (finding.rule == "OFED-10" || finding.rule == "OFED-11" ||
                                                   finding.rule == "OFED-02" || finding.rule == "OFED-09");
}

// A word for a POSIX shell; the script is read before it is used, and must not change by being pasted.
std::string quoted(std::string_view word) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=+-,@%";
    if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos) return std::string(word);
    std::string out = "'";
    for (const char c : word)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::vector<std::string> held_packages(const Situation& of) {
    std::vector<std::string> names;
    if (!of.in.installed) return names;
    for (const auto& package : of.in.installed->packages())
        if (package.present() &&
            (protected_tier(package.name) || package.name == "libibverbs1" || package.name == "librdmacm1" ||
             package.name == "libibumad3" || package.name == "ibverbs-providers" ||
             package.name == "rdma-core") &&
            !package.name.starts_with("proxmox-kernel") && !package.name.starts_with("pve-kernel"))
            names.emplace_back(package.name);
    return names;
}

// The flags given, without those that harm, and with those that protect.
std::vector<std::string> safe_flags(const Situation& of) {
    std::vector<std::string> flags;
    bool skip_value = false;
    for (const auto& word : of.in.flags.words) {
        constexpr std::string_view harmful[]{"--force",
                                             "-q",
                                             "--with-nvmf",
                                             "--with-nfsrdma",
                                             "--ovs",
                                             "--ovs-dpdk",
                                             "--with-openvswitch",
                                             "--force-fw-update",
                                             "--user-space-only",
                                             "--all",
                                             "--without-depcheck",
                                             "--add-kernel-support"};
        if (skip_value) {
            skip_value = false;
            continue;
        }
        if (word == "--distro") {
            skip_value = true;
            continue;
        }
        if (std::ranges::find(harmful, word) == std::end(harmful)) flags.push_back(word);
    }
    for (const char* needed : {"--kernel-only", "--without-fw-update"})
        if (std::ranges::find(flags, needed) == flags.end()) flags.emplace_back(needed);
    if (of.vendor && of.vendor->distro) flags.insert(flags.end(), {"--distro", *of.vendor->distro});
    return flags;
}

void stay_steps(const Situation& of, std::span<const Finding> findings, Verdict& verdict) {
    std::vector<std::string> reasons;
    for (const auto& finding : findings)
        if (finding.severity == Severity::error) reasons.push_back(finding.message);
    verdict.plan.push_back(
        {"Do not install it: stay with the kernel's own driver", reasons.empty() ? "" : reasons.front(), {}});
    std::vector<std::string> looks{"pve-rdma probe", "pve-rdma diagnose"};
    verdict.plan.push_back(
        {"See what the kernel's driver already does", "Ethernet, IPoIB, RoCE and SR-IOV are in it.", looks});
    if (of.in.pasted)
        verdict.plan.push_back({"Do not run the clean-up commands",
                                "Remove packages by their names, after a look at what goes.",
                                {"apt-get -s remove NAME"}});
}

void stop_users(const Situation& of, Verdict& verdict) {
    std::vector<std::string> commands;
    std::string why;
    for (const auto& storage : of.in.node.report.system.storages)
        if (!storage.disabled &&
            (storage.type == "cifs" || (storage.type == "nfs" && storage.rdma.value_or(false))))
            commands.push_back(fmt::format("pvesm set {} --disable 1", quoted(storage.id)));
    if (of.in.facts.mounts)
        for (const auto& mount : *of.in.facts.mounts)
            if (mount.type == "cifs" || mount.type == "smb3" || (mount.type.starts_with("nfs") && mount.rdma))
                commands.push_back(fmt::format("umount {}", quoted(mount.target)));
    for (const auto& module : of.lost)
        if (module.loaded) {
            if (!why.empty()) why += ", ";
            why += module.name;
        }
    if (commands.empty() && why.empty()) return;
    verdict.plan.push_back({"Stop what the vendor's modules break",
                            why.empty() ? "These storages cannot be mounted any more afterwards."
                                        : fmt::format("Loaded now, and not loadable afterwards: {}.", why),
                            commands});
}

void install_steps(const Situation& of, Verdict& verdict) {
    const auto held = held_packages(of);
    const std::string list = fmt::format("{}", fmt::join(held, " "));
    verdict.plan.push_back({"Have a console that does not run over the card, and move the guests away",
                            "The card has no driver for a while, or for good.",
                            {"ha-manager crm-command node-maintenance enable \"$(hostname)\""}});
    verdict.plan.push_back(
        {"Keep what can be put back",
         "dpkg's own state, and a snapshot where the root allows one.",
         {"tar -C / -czf /root/dpkg-before-ofed.tar.gz var/lib/dpkg etc/network etc/modprobe.d",
          "dpkg --get-selections > /root/selections-before-ofed"}});
    stop_users(of, verdict);
    std::vector<std::string> headers;
    for (const auto& kernel : of.in.facts.kernels)
        if ((kernel.running || kernel.image.value_or(false)) &&
            !(kernel.headers.value_or(false) && kernel.symvers.value_or(false)))
            headers.push_back(fmt::format("apt-get install {}", quoted("proxmox-headers-" + kernel.release)));
    if (!headers.empty())
        verdict.plan.push_back({"Install the headers of every kernel that may be booted", "", headers});
    if (!held.empty())
        verdict.plan.push_back({"Hold what must not go",
                                "apt-get then refuses, and the installer stops.",
                                {"apt-mark hold " + list}});
    if (of.vendor)
        verdict.plan.push_back({"Install the kernel part alone, without --force and without firmware",
                                "It must be checked again with exactly these flags before it is run.",
                                {fmt::format("pve-rdma ofed check {} -- {}", quoted(of.vendor->path),
                                             fmt::join(safe_flags(of), " ")),
                                 fmt::format("./mlnxofedinstall {}", fmt::join(safe_flags(of), " "))}});
    else if (!of.in.packages.empty())
        verdict.plan.push_back(
            {"Install by apt, looking at what it will do",
             "",
             {fmt::format("apt-get install --no-remove {}", fmt::join(of.in.packages, " "))}});
    else
        verdict.plan.push_back({"Install by apt, which knows the relations that dpkg -i ignores",
                                "",
                                {"apt-get install --no-remove ./*.deb"}});
    verdict.plan.push_back({"See that it was built for every kernel", "", {"dkms status"}});
    verdict.plan.push_back({"Reboot with the console in view",
                            "In place of openibd restart, which stops half way when a module is in use.",
                            {"systemctl reboot"}});
    if (!held.empty()) verdict.plan.push_back({"Release what was held", "", {"apt-mark unhold " + list}});
    verdict.plan.push_back({"The way back",
                            "Modules that were unloaded do not come back by themselves: reboot.",
                            {"apt-get remove mlnx-ofed-kernel-dkms mlnx-ofed-kernel-utils",
                             "depmod -a && update-initramfs -u -k all", "systemctl reboot"}});
}

std::string script_of(const Verdict& verdict) {
    std::string text =
        "#!/bin/sh\n# Printed by pve-rdma ofed check for reading. Go through it line by line; do not run it "
        "as a whole.\nexit 1\n";
    for (std::size_t i = 0; i < verdict.plan.size(); ++i) {
        const auto& step = verdict.plan[i];
        text += fmt::format("\n# {}. {}\n", i + 1, step.title);
        if (!step.why.empty()) text += fmt::format("#    {}\n", step.why);
        for (const auto& command : step.commands)
            text += command + "\n";
    }
    // A bundle's names must not end a comment and begin a command.
    std::erase_if(text, [](char c) { return c == '\r' || c == '\0' || c == '\x1b'; });
    return text;
}

}  // namespace

void make_plan(const Situation& of, std::span<const Finding> findings, Verdict& verdict) {
    const bool removes = of.removal && std::ranges::any_of(verdict.removed, [](const RemovedPackage& one) {
                             return one.tier.has_value();
                         });
    const bool filter = of.installer && of.installer->kernel_filter;
    verdict.stay = std::ranges::any_of(findings, is_final) || (removes && !filter) ||
                   (of.packages.empty() && of.in.packages.empty());
    if (verdict.stay)
        stay_steps(of, findings, verdict);
    else
        install_steps(of, verdict);
    verdict.script = script_of(verdict);
}

}  // namespace pve_rdma::ofed
