// What the installer's removal step takes: OFED-01, 02, 03, 07.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ofed/check.h"
#include "ofed/plan/chains.h"
#include "ofed/rules.h"
#include "ofed/tier.h"

namespace pve_rdma::ofed {

namespace {

using doctor::Certainty;
using doctor::Findings;

constexpr std::size_t names_shown = 8;

std::string some(const std::vector<std::string>& names) {
    if (names.size() <= names_shown) return fmt::format("{}", fmt::join(names, ", "));
    return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + names_shown, ", "),
                       names.size() - names_shown);
}

// The packages that matter most to people first.
int rank(std::string_view name) {
    constexpr std::string_view first[]{"proxmox-ve",   "pve-manager", "qemu-server",
                                       "pve-qemu-kvm", "ceph-osd",    "librados2"};
    const auto found = std::ranges::find(first, name);
    return static_cast<int>(found - std::begin(first));
}

std::string how_it_runs(const Situation& of) {
    switch (of.removal->outcome) {
        case RemovalOutcome::stops:
            return fmt::format(
                "Without --force the installer stops (exit code 174) after its prerequisites have run, and "
                "recommends --force; then it");
        case RemovalOutcome::never_ends:
            return "If the circle of dependents is broken, the installer";
        default:
            return "The installer";
    }
}

void say_removed(const Situation& of, Findings& out) {
    const auto& installed = *of.in.installed;
    const auto& removal = *of.removal;
    std::vector<std::string> all, precious;
    for (const auto index : removal.removed) {
        all.emplace_back(installed.at(index).name);
        if (tier_of(installed.at(index))) precious.push_back(all.back());
    }
    if (all.empty()) return;
    std::ranges::stable_sort(precious, {}, rank);
    const auto& rule = check_rule(precious.empty() ? "OFED-03" : "OFED-01");
    out.speak_for(rule, of.in.node.name);
    const std::string flags =
        of.in.flags.words.empty() ? "" : fmt::format(" (flags: {})", fmt::join(of.in.flags.words, " "));
    if (precious.empty()) {
        out.add("packages", fmt::format("{} removes {} package{}{}: {}.", how_it_runs(of), all.size(),
                                        all.size() == 1 ? "" : "s", flags, some(all)));
        return;
    }
    const Chains chains(installed, removal.roots, removal.removed, "has a name that the installer looks for");
    const auto* worst = installed.find(precious.front());
    auto& finding = out.add(precious.front(),
                            fmt::format("{} removes {} packages{}, {} of them protected: {}. Why: {}.",
                                        how_it_runs(of), all.size(), flags, precious.size(), some(precious),
                                        fmt::join(chains.chain(installed.index_of(*worst)), "; ")));
    if (!of.installer->certain) finding.as(Certainty::likely);
    if (of.in.flags.kernel_only && !of.installer->kernel_filter)
        finding.message += " --kernel-only narrows what is installed, not what is removed.";
}

}  // namespace

void check_removal(const Situation& of, Findings& out) {
    if (!of.vendor || of.in.flags.check_only || of.in.flags.fw_update_only) return;
    out.speak_for(check_rule("OFED-07"), of.in.node.name);
    if (!of.installer) {
        out.add(of.vendor->path,
                fmt::format("Release {} is none of the known ones, and no removal list was found in the "
                            "bundle: what it removes is not known.",
                            of.release.value_or("(none named)")));
        out.unknown("the bundle's installer could not be read");
        return;
    }
    if (!of.installer->certain)
        out.add(of.vendor->path,
                fmt::format("The bundle's own list could not be read; that of the {} generation is taken.",
                            of.installer->generation))
            .as(doctor::Severity::info);
    out.speak_for(check_rule("OFED-01"), of.in.node.name);
    if (!of.removal) {
        out.unknown("the node's dpkg status could not be read");
        return;
    }
    if (of.removal->outcome == RemovalOutcome::never_ends) {
        out.speak_for(check_rule("OFED-02"), of.in.node.name);
        out.add(of.removal->circle.front(), fmt::format("The installer never ends: it follows {} for ever.",
                                                        fmt::join(of.removal->circle, " -> ")));
    }
    say_removed(of, out);
}

}  // namespace pve_rdma::ofed
