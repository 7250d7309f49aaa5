#include "operations/guard_state.h"

#include <algorithm>

#include "apply/run_program.h"
#include "guard/files.h"
#include "guard/hooks.h"
#include "guard/journal.h"
#include "guard/judge.h"
#include "guard/node.h"
#include "guard/permit.h"

namespace pve_rdma {

namespace {

constexpr std::size_t max_hook = 64u << 10, shown_notes = 20;
constexpr std::chrono::seconds patience{10};

std::string state_of(const guard::Hook& hook) {
    const auto text = guard::read_text(std::string(hook.path), max_hook);
    if (text) return *text == hook.text ? "intact" : "changed";
    return text.error().code == ErrorCode::not_found ? "absent" : "changed";
}

// A later file of apt's configuration can empty the list of hooks, so apt itself is asked. dpkg reads every
// file of its folder and forgets no hook.
bool is_heeded(const guard::Hook& hook) {
    if (hook.name != "apt") return true;
    const auto answer = run_program({"/usr/bin/apt-config", "dump", "DPkg::Pre-Install-Pkgs"}, patience);
    return answer && answer->status == 0 && answer->output.contains(guard::program);
}

void add_packages(GuardReply& reply, std::vector<std::string>& warnings) {
    guard::Node node;
    if (auto read = guard::read_node(node); !read) warnings.push_back(read.error().text());
    for (const auto& kept : node.kept) {
        GuardedPackages guarded{kept.tier, kept.patterns, {}, kept.why};
        for (const auto& package : node.packages)
            if (package.present() && kept.matches(package.name)) guarded.installed.emplace_back(package.name);
        reply.guarded.push_back(std::move(guarded));
    }
    reply.marked = guard::marked_for_removal(node.packages, node.kept);
}

std::string joined(const std::vector<std::string>& words, const char* between) {
    return fmt::format("{}", fmt::join(words, between));
}

}  // namespace

GuardReply guard_state(std::vector<std::string>& warnings) {
    GuardReply reply;
    for (const auto& hook : guard::hooks) {
        GuardHook one{std::string(hook.name), std::string(hook.path), state_of(hook), false};
        one.heeded = one.state == "intact" && is_heeded(hook);
        reply.hooks.push_back(std::move(one));
    }
    const auto all = [&](const char* state) {
        return std::ranges::all_of(reply.hooks, [&](const GuardHook& hook) { return hook.state == state; });
    };
    reply.state = all("intact") ? "on" : all("absent") ? "off" : "partly";
    reply.program = guard::program;
    const auto ran = run_program({reply.program, "check"}, patience);
    reply.program_runs = ran && ran->status == 0;
    reply.effective = reply.program_runs && std::ranges::all_of(reply.hooks, &GuardHook::heeded);
    reply.waiver = guard::waiver_waits();
    add_packages(reply, warnings);
    if (auto notes = guard::last_notes(shown_notes))
        reply.journal = std::move(*notes);
    else
        warnings.push_back(notes.error().text());
    return reply;
}

std::string guard_text(const GuardReply& reply, const TextStyle& style) {
    const bool on = reply.state == "on";
    const Tone tone = reply.effective ? Tone::good : on ? Tone::bad : Tone::warning;
    std::string out =
        "guard: " + toned(on && !reply.effective ? "on, and without effect" : reply.state, tone, style);
    out += reply.waiver ? " (the next refusal will be waived)\n" : "\n";
    TextTable hooks({"HOOK", "STATE", "FILE"});
    for (const auto& hook : reply.hooks)
        hooks.add({hook.name, hook.state == "intact" && !hook.heeded ? "intact, not heeded" : hook.state,
                   hook.path});
    hooks.add({"program", reply.program_runs ? "runs" : "does not run", reply.program});
    out += hooks.render(style);
    if (!reply.marked.empty())
        out +=
            toned(wrapped("marked for removal by a program that was cut off: " + joined(reply.marked, ", ") +
                              "; pve-rdma ofed guard on takes the marks away",
                          0, style),
                  Tone::bad, style);
    TextTable packages({"KEPT", "PACKAGES"});
    std::size_t absent = 0;
    std::vector<std::pair<std::string, std::vector<std::string>>> tiers;  // in the list's order
    for (const auto& guarded : reply.guarded) {
        absent += guarded.installed.empty();
        if (tiers.empty() || tiers.back().first != guarded.tier)
            tiers.emplace_back(guarded.tier, std::vector<std::string>{});
        tiers.back().second.insert(tiers.back().second.end(), guarded.installed.begin(),
                                   guarded.installed.end());
    }
    for (const auto& [tier, names] : tiers)
        if (!names.empty()) packages.add({tier, joined(names, " ")});
    if (!packages.empty()) out += "\n" + packages.render(style);
    out += fmt::format("  and what these need; {} entries of the list have no package here\n", absent);
    if (!reply.journal.empty()) out += "\n";
    for (const auto& line : reply.journal)
        out += wrapped(one_line(line), 2, style);
    return out;
}

}  // namespace pve_rdma
