#include "doctor/diagnose.h"

#include <algorithm>
#include <unordered_set>

#include "doctor/fabric_view.h"
#include "doctor/findings.h"
#include "doctor/rules.h"

namespace pve_rdma::doctor {

namespace {

// A section that the report does not have says nothing about whether the rule applies.
constexpr Part sections[] = {Part::devices, Part::links, Part::pci};

bool may_judge(const Rule& rule, const Node& node, Findings& out) {
    const auto lacks = [&](Part part) {
        const auto why = node.missing(part);
        if (why) out.unknown(*why);
        return why.has_value();
    };
    for (const Part part : rule.needs)
        if (std::ranges::find(sections, part) != std::end(sections) && lacks(part)) return false;
    if (rule.applies && !rule.applies(node)) return false;
    return std::ranges::none_of(rule.needs, lacks);
}

// Walks of one fabric that several nodes have made are the same fabric: judged once.
std::vector<FabricView> distinct_fabrics(const Cluster& cluster) {
    std::vector<FabricView> views;
    std::unordered_set<std::uint64_t> known;  // the least GUID of each fabric
    for (const auto& node : cluster.nodes())
        for (const auto& walk : node.report.fabric) {
            if (walk.nodes.empty()) continue;
            const auto least = std::ranges::min_element(walk.nodes, {}, &WalkNode::guid);
            if (known.insert(least->guid.value).second) views.push_back({node, walk});
        }
    return views;
}

void judge_nodes(const Rule& rule, const Cluster& cluster, Findings& out) {
    for (const auto& node : cluster.nodes()) {
        out.speak_for(rule, node.name);
        if (may_judge(rule, node, out)) rule.node(node, out);
    }
}

void judge_fabrics(const Rule& rule, std::span<const FabricView> fabrics, const Cluster& cluster,
                   Findings& out) {
    for (const auto& fabric : fabrics) {
        out.speak_for(rule, "");
        rule.fabric(fabric, out);
    }
    // A node of InfiniBand that no walk has met.
    if (!fabrics.empty()) return;
    for (const auto& node : cluster.nodes()) {
        out.speak_for(rule, node.name);
        if (!has_infiniband(node)) continue;
        if (const auto why = node.missing(Part::fabric)) out.unknown(*why);
    }
}

}  // namespace

bool Scope::wants(std::string_view rule) const {
    return rules.empty() || std::ranges::find(rules, rule) != rules.end();
}

bool Diagnosis::has_errors() const {
    return std::ranges::any_of(
        findings, [](const Finding& finding) { return finding.severity == Severity(Severity::error); });
}

Diagnosis diagnose(const Cluster& cluster, const Scope& scope) {
    Findings out;
    const auto fabrics = distinct_fabrics(cluster);
    for (const auto& rule : rules()) {
        if (!scope.wants(rule.id)) continue;
        if (rule.node) judge_nodes(rule, cluster, out);
        if (rule.fabric) judge_fabrics(rule, fabrics, cluster, out);
        out.speak_for(rule, "");
        if (rule.cluster) rule.cluster(cluster, out);
    }
    for (const auto& rule : rules()) {
        if (!rule.afterwards || !scope.wants(rule.id)) continue;
        const std::vector<Finding> before = out.found();
        out.speak_for(rule, "");
        rule.afterwards(cluster, before, out);
    }
    Diagnosis diagnosis;
    diagnosis.unjudged = out.unjudged();
    diagnosis.findings = std::move(out.found());
    std::erase_if(diagnosis.findings, [&](const Finding& finding) { return finding.severity < scope.least; });
    std::ranges::stable_sort(diagnosis.findings, [](const Finding& a, const Finding& b) {
        if (a.severity != b.severity) return a.severity > b.severity;
        return a.node < b.node;
    });
    return diagnosis;
}

}  // namespace pve_rdma::doctor
