#include "mad/observe_fabric.h"

#include <algorithm>

#include <fmt/format.h>

#include "mad/fabric.h"
#include "observe/rtnetlink.h"

namespace pve_rdma {

namespace {

bool has_link(const Port& port) {
    return port.link_layer.value_or("InfiniBand") == "InfiniBand" && port.state && *port.state != "DOWN" &&
           *port.state != "NOP";
}

bool walked(const std::vector<FabricWalk>& walks, const RdmaDevice& device, const Port& port) {
    for (const auto& walk : walks)
        for (const auto& node : walk.nodes)
            if (device.node_guid && node.guid == *device.node_guid && node.find_port(port.number))
                return true;
    return false;
}

}  // namespace

void observe_fabric(const Machine& machine, NodeReport& report, const MadOptions& options) {
    const auto any = std::ranges::any_of(
        report.devices, [](const RdmaDevice& device) { return std::ranges::any_of(device.ports, has_link); });
    if (!machine.live()) {
        report.sources["fabric"] = recorded_source();
        return;
    }
    if (!any) return;
    Source source;
    for (const auto& device : report.devices)
        for (const auto& port : device.ports) {
            if (!has_link(port) || walked(report.fabric, device, port)) continue;
            auto walk = fabric_walk({.ca = device.name, .port = port.number}, options);
            if (walk)
                report.fabric.push_back(std::move(*walk));
            else
                source.unread.push_back(Unread::from(walk.error()));
        }
    if (report.fabric.empty() && !source.unread.empty()) {
        const Unread& why = source.unread.front();
        source.unavailable = why.error;
        source.text = fmt::format("{}: {}", why.what, why.text);
        if (!why.hint.empty()) source.hint = why.hint;
    }
    report.sources["fabric"] = source;
}

}  // namespace pve_rdma
