#include "operations/reports.h"

#include "mad/observe_fabric.h"
#include "mad/observe_subnet.h"
#include "observe/node.h"

namespace pve_rdma {

namespace {

// MADs are a layer above the observers of one machine, so their sections are added here. A walk asks every
// node of the subnet: it is done only when it is named.
constexpr std::string_view subnet_section = "subnet", fabric_section = "fabric";
constexpr std::size_t max_report = 64u << 20;

}  // namespace

std::vector<std::string_view> report_sections() {
    auto names = node_sections();
    names.push_back(subnet_section);
    names.push_back(fabric_section);
    return names;
}

Result<NodeReport> load_report(const std::string& path) {
    const auto here = Machine::open("/");
    if (!here) return std::unexpected(here.error());
    const auto text = here->bytes(path, max_report);
    if (!text) return std::unexpected(text.error());
    return parse_report(*text, path);
}

Result<NodeReport> observe(const Observation& wanted) {
    const auto machine = Machine::open(wanted.root);
    if (!machine) return std::unexpected(machine.error());
    NodeScope scope{.sections = wanted.sections};
    const bool walk = wanted.fabric || (!scope.sections.empty() && scope.wants(fabric_section));
    if (walk && !scope.wants("devices")) scope.sections.emplace_back("devices");  // the ports to walk from
    NodeReport report = observe_node(*machine, scope);
    if (scope.wants("devices") && scope.wants(subnet_section)) observe_subnet(*machine, report);
    if (walk) observe_fabric(*machine, report);
    return report;
}

}  // namespace pve_rdma
