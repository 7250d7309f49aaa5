// A fixture, observed.
#pragma once

#include <algorithm>

#include <gtest/gtest.h>

#include "../../fixtures/tree.h"
#include "observe/node.h"

namespace pve_rdma {

inline NodeReport observe_tree(const fixtures::Tree& tree, std::vector<std::string> sections = {}) {
    const auto machine = Machine::open(tree.root());
    if (!machine) throw std::runtime_error(machine.error().text());
    NodeScope scope;
    scope.sections = std::move(sections);
    return observe_node(*machine, scope);
}

// What was unread below a path, as "path ERROR" lines: a failing test shows them all.
inline std::vector<std::string> unread(const NodeReport& report, const std::string& below = "") {
    std::vector<std::string> lines;
    for (const auto& [name, source] : report.sources)
        for (const auto& entry : source.unread)
            if (entry.what.find(below) != std::string::npos) lines.push_back(entry.what + " " + entry.error);
    return lines;
}

}  // namespace pve_rdma
