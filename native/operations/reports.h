// Node reports for operations: of this node, or from files.
#pragma once

#include <string>
#include <vector>

#include "facts/report.h"

namespace pve_rdma {

struct Observation {
    std::string root = "/";               // a recorded tree, when it is another
    std::vector<std::string> sections{};  // empty: all but the walk of the fabric
    bool fabric = false;                  // walk the subnets too
};

Result<NodeReport> observe(const Observation&);
// A report that `probe --record` has written.
Result<NodeReport> load_report(const std::string& path);

// Sections that may be asked for: those of the observers, and "subnet" and "fabric", which are asked by MADs.
std::vector<std::string_view> report_sections();

}  // namespace pve_rdma
