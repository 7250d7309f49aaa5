#include "operations/diagnose_text.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "operations/text_table.h"

namespace pve_rdma {

namespace {

using doctor::Finding;
using doctor::Severity;
using doctor::Unjudged;

constexpr std::size_t names_shown = 6;

Tone tone_of(Severity severity) {
    switch (severity.level) {
        case Severity::error:
            return Tone::bad;
        case Severity::warning:
            return Tone::warning;
        case Severity::info:
            break;
    }
    return Tone::dim;
}

std::string list(const std::vector<std::string>& names) {
    if (names.size() <= names_shown) return fmt::format("{}", fmt::join(names, ", "));
    return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + names_shown, ", "),
                       names.size() - names_shown);
}

std::string finding_text(const Finding& finding, const TextStyle& style) {
    std::string out = "  " + toned(finding.severity.text(), tone_of(finding.severity), style);
    out += fmt::format("{:{}}{}", "", 9 - finding.severity.text().size(),
                       toned(one_line(finding.subject), Tone::bold, style));
    out += fmt::format("  {}{}\n", finding.rule,
                       finding.certainty == doctor::Certainty(doctor::Certainty::certain)
                           ? ""
                           : fmt::format(" ({})", finding.certainty.text()));
    out += wrapped(one_line(finding.message), 11, style);
    out += wrapped("To do: " + one_line(finding.remedy), 11, style);
    return out;
}

// Nodes in the order of their worst finding: the findings come sorted so.
std::vector<std::pair<std::string, std::vector<const Finding*>>> by_node(
    const std::vector<Finding>& findings) {
    std::vector<std::pair<std::string, std::vector<const Finding*>>> groups;
    std::map<std::string, std::size_t> known;
    for (const auto& finding : findings) {
        const std::string name = finding.node.value_or("");
        const auto [entry, fresh] = known.try_emplace(name, groups.size());
        if (fresh) groups.push_back({name, {}});
        groups[entry->second].second.push_back(&finding);
    }
    return groups;
}

std::string counted(const std::vector<Finding>& findings, Severity severity, std::string_view one) {
    const auto count = std::ranges::count(findings, severity, &Finding::severity);
    if (count == 0) return {};
    return fmt::format("{} {}{}", count, one, count == 1 || one == "for information" ? "" : "s");
}

std::string summary(const std::vector<Finding>& findings, bool all_judged) {
    std::vector<std::string> parts;
    for (auto part :
         {counted(findings, Severity::error, "error"), counted(findings, Severity::warning, "warning"),
          counted(findings, Severity::info, "for information")})
        if (!part.empty()) parts.push_back(part);
    if (!parts.empty()) return fmt::format("{}.", fmt::join(parts, ", "));
    return all_judged ? "Nothing is wrong that this program knows to look for."
                      : "Nothing wrong was found in what could be read; see what could not be judged.";
}

std::string unjudged_text(const std::vector<Unjudged>& unjudged, const TextStyle& style) {
    std::string out = "\n" + toned("Not judged, since it is not known", Tone::bold, style) + "\n";
    for (const auto& one : unjudged) {
        out += wrapped(one_line(one.reason), 2, style);
        std::string rules = list(one.rules);
        if (one.nodes.size() > 1) rules += fmt::format(" (of {} nodes)", one.nodes.size());
        out += wrapped(rules, 6, style);
    }
    return out;
}

// "ofed-check" as the command line writes it.
std::string command_words(std::string operation) {
    std::ranges::replace(operation, '-', ' ');
    return operation;
}

}  // namespace

std::string diagnosis_text(const Reply& reply, const TextStyle& style) {
    const auto& findings = *reply.findings;
    std::string out;
    for (const auto& [node, group] : by_node(findings)) {
        if (!out.empty()) out += "\n";
        out += toned(node.empty() ? "The fabric and the cluster" : one_line(node), Tone::bold, style) + "\n";
        for (const Finding* finding : group)
            out += finding_text(*finding, style);
    }
    if (!out.empty()) out += "\n";
    out += wrapped(summary(findings, reply.unjudged->empty()), 0, style);
    if (!findings.empty())
        out += wrapped(fmt::format("A rule's page: pve-rdma {} --explain {}", command_words(reply.operation),
                                   findings.front().rule),
                       0, style);
    if (!reply.unjudged->empty()) out += unjudged_text(*reply.unjudged, style);
    return out;
}

std::string rule_page_text(const doctor::RulePage& page, const TextStyle& style) {
    std::string out = toned(fmt::format("{}  {}", page.id, page.title), Tone::bold, style) + "\n";
    out += fmt::format("  {}, {} at worst\n", page.family, page.severity.text());
    const auto part = [&](std::string_view name, std::string_view text) {
        if (!text.empty()) out += "\n" + std::string(name) + "\n" + wrapped(text, 2, style);
    };
    part("When it speaks", page.condition);
    for (const auto& limit : page.thresholds)
        out += wrapped(fmt::format("{}: {:g} {} ({})", limit.name, limit.value, limit.unit, limit.why), 4,
                       style);
    part("What it means", page.meaning);
    part("What to do", page.remedy);
    part("What it reads", page.reads);
    part("What it cannot do without", fmt::format("{}", fmt::join(page.needs, ", ")));
    part("Sources", page.sources);
    return out;
}

}  // namespace pve_rdma
