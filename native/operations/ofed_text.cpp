#include "operations/ofed_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "operations/diagnose_text.h"
#include "operations/reply.h"
#include "operations/text_table.h"

namespace pve_rdma {

namespace {

constexpr std::size_t removed_shown = 12;

Tone tone_of(std::string_view level) {
    if (level == "BLOCK") return Tone::bad;
    return level == "WARN" ? Tone::warning : Tone::good;
}

std::string head_text(const ofed::Verdict& verdict, const TextStyle& style) {
    std::string out = toned(verdict.level, tone_of(verdict.level), style);
    if (verdict.release) out += fmt::format("  driver {}", one_line(*verdict.release));
    for (const auto& bundle : verdict.bundles)
        out += fmt::format("  {} ({}, {} packages)", one_line(bundle.path), bundle.kind, bundle.packages);
    return out + "\n";
}

std::string removed_text(const ofed::Verdict& verdict, const TextStyle& style) {
    if (verdict.removed.empty()) return {};
    std::string out =
        "\n" + toned(fmt::format("Packages that go: {}", verdict.removed.size()), Tone::bold, style) + "\n";
    std::size_t shown = 0;
    for (const auto& package : verdict.removed) {
        if (++shown > removed_shown) break;
        out += "  " + toned(one_line(package.name), package.tier ? Tone::bad : Tone::plain, style) + "  " +
               package.version + "\n";
        out += wrapped(one_line(fmt::format("{}", fmt::join(package.chain, "; "))), 6, style);
    }
    if (verdict.removed.size() > removed_shown)
        out += fmt::format("  and {} more: --json names them all\n", verdict.removed.size() - removed_shown);
    return out;
}

std::string modules_text(const ofed::Verdict& verdict, const TextStyle& style) {
    std::vector<std::string> replaced, lost;
    for (const auto& module : verdict.modules) {
        auto& list = module.fate == "replaced" ? replaced : lost;
        const std::string name = module.name + (module.loaded ? "*" : "");
        if (std::ranges::find(list, name) == list.end()) list.push_back(name);
    }
    if (replaced.empty()) return {};
    std::string out = "\n" + toned("Kernel modules (* is loaded now)", Tone::bold, style) + "\n";
    out += wrapped(one_line(fmt::format("Replaced: {}", fmt::join(replaced, " "))), 2, style);
    if (!lost.empty())
        out += wrapped(one_line(fmt::format("Not loadable afterwards: {}", fmt::join(lost, " "))), 2, style);
    return out;
}

std::string steps_text(const std::vector<ofed::Step>& steps, const std::string& title,
                       const TextStyle& style) {
    if (steps.empty()) return {};
    std::string out = "\n" + toned(title, Tone::bold, style) + "\n";
    for (std::size_t i = 0; i < steps.size(); ++i) {
        out += wrapped(fmt::format("{}. {}", i + 1, one_line(steps[i].title)), 2, style);
        if (!steps[i].why.empty()) out += wrapped(one_line(steps[i].why), 5, style);
        for (const auto& command : steps[i].commands)
            out += "       " + one_line(command) + "\n";  // whole: commands are copied
    }
    return out;
}

std::string faults_text(const std::vector<ofed::StackFault>& faults, const std::string& title,
                        const TextStyle& style) {
    if (faults.empty()) return {};
    std::string out = "\n" + toned(title, Tone::bold, style) + "\n";
    for (const auto& fault : faults) {
        out += wrapped(one_line(fmt::format("{}: {}", fault.subject, fault.message)), 2, style);
        out += wrapped(one_line(fault.remedy), 6, style);
    }
    return out;
}

}  // namespace

std::string ofed_check_text(const Reply& reply, const TextStyle& style) {
    if (reply.rule) return rule_page_text(*reply.rule, style);
    const auto& verdict = *reply.ofed;
    std::string out = head_text(verdict, style);
    if (!reply.findings->empty() || !reply.unjudged->empty()) out += "\n" + diagnosis_text(reply, style);
    out += removed_text(verdict, style) + modules_text(verdict, style);
    return out + steps_text(verdict.plan, verdict.stay ? "What to do instead" : "Steps", style);
}

std::string ofed_status_text(const Reply& reply, const TextStyle& style) {
    const auto& stack = *reply.stack;
    const bool whole = stack.half_done.empty() && stack.leftovers.empty();
    std::string out = toned(stack.stack, whole && stack.stack == "inbox" ? Tone::good : Tone::warning, style);
    if (stack.release) out += fmt::format("  driver {}", one_line(*stack.release));
    out += fmt::format("  (modules that run: {}; libraries: {})\n", stack.loaded, stack.libraries);
    TextTable kernels({"kernel", "drivers at its next boot", ""});
    for (const auto& kernel : stack.kernels)
        kernels.add({one_line(kernel.release), kernel.drivers, kernel.running ? "runs now" : ""});
    if (!kernels.empty()) out += "\n" + kernels.render(style);
    out +=
        faults_text(stack.half_done, "Half done", style) + faults_text(stack.leftovers, "Left over", style);
    return out + steps_text(stack.back, "The way back to the kernel's own driver", style);
}

}  // namespace pve_rdma
