// A rule: what it reads, when it speaks, what that means, what to do; and the pure function that decides.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.h"
#include "doctor/severity.h"

namespace pve_rdma::doctor {

class Cluster;
class Findings;
class Node;
struct FabricView;
struct Finding;

// Parts of what is known of a node that a rule cannot do without. Where one is missing the rule decides
// nothing, and the reply says which and why.
enum class Part {
    system,
    modules,
    packages,
    pci,
    devices,
    links,
    ethtool,
    devlink,
    routes,
    kernel_log,
    subnet,      // answers of the subnet manager and the own port to MADs
    fabric,      // a walk of the subnet
    earlier,     // an earlier report of the same node
    configured,  // what /etc/network/interfaces asks for
};

// A number that decides, with its reason.
struct Limit {
    std::string_view name;
    double value = 0;
    std::string_view unit;
    std::string_view why;
};

struct Rule {
    std::string_view id;
    Severity severity;  // the worst that it says
    std::string_view title;
    std::string_view reads;      // facts, by their paths in the report
    std::string_view condition;  // in words
    std::string_view meaning;
    std::string_view remedy;
    std::string_view sources;
    std::vector<Part> needs = {};
    std::vector<Limit> thresholds = {};
    bool (*applies)(const Node&) = nullptr;  // nullptr: to every node

    // What it looks at: one node; one fabric; all nodes together; all nodes, when the rest has been found.
    void (*node)(const Node&, Findings&) = nullptr;
    void (*fabric)(const FabricView&, Findings&) = nullptr;
    void (*cluster)(const Cluster&, Findings&) = nullptr;
    void (*afterwards)(const Cluster&, std::span<const Finding>, Findings&) = nullptr;

    std::string_view family = {};  // set where the families are joined: doctor/rules.cpp
};

// A rule's page, for --explain.
struct ThresholdPage {
    std::string name;
    double value = 0;
    std::string unit, why;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name);
        visit("value", self.value);
        visit("unit", self.unit);
        visit("why", self.why);
    }
};

struct RulePage {
    std::string id, family;
    Severity severity;
    std::string title, reads, condition, meaning, remedy;
    std::vector<ThresholdPage> thresholds;
    std::vector<std::string> needs;
    std::string sources;

    static RulePage of(const Rule&);

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("id", self.id);
        visit("family", self.family);
        visit("severity", self.severity);
        visit("title", self.title);
        visit("reads", self.reads);
        visit("condition", self.condition);
        visit("meaning", self.meaning);
        visit("remedy", self.remedy);
        visit("thresholds", self.thresholds);
        visit("needs", self.needs);
        visit("sources", self.sources);
    }
};

}  // namespace pve_rdma::doctor
