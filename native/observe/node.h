// One node, observed: the ordered list of observers, run over a machine.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "facts/report.h"
#include "observe/machine.h"

namespace pve_rdma {

// What is wanted of a node.
struct NodeScope {
    // Sections of the report: system, modules, packages, pci, devices, links (with addresses), routes (with
    // rules), devlink, interfaces. Empty: all of them.
    std::vector<std::string> sections;
    bool serial_numbers = false;  // of cards (VPD); a report that is passed on should not hold them

    bool wants(std::string_view section) const;
};

// The sections that exist, in the order of the observers, each once.
std::vector<std::string_view> node_sections();

// Never fails: what could not be read stands in the report's sources. The fabric's view (umad) is not part
// of it: it costs MADs and stands in mad/.
NodeReport observe_node(const Machine&, const NodeScope& = {});

}  // namespace pve_rdma
