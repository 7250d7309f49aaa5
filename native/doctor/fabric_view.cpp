#include "doctor/fabric_view.h"

#include <fmt/format.h>

namespace pve_rdma::doctor {

std::string FabricView::node_name(const WalkNode& at) const {
    return at.description.empty() ? at.guid.text() : at.description;
}

std::string FabricView::port_name(LinkEnd end) const {
    return fmt::format("{} port {}", node_name(walk.nodes[end.node]), end.port);
}

const WalkPort* FabricView::port(LinkEnd end) const {
    return walk.nodes[end.node].find_port(end.port);
}

std::string FabricView::at_walk(std::string_view field) const {
    return fmt::format("/fabric/{}/{}", &walk - node.report.fabric.data(), field);
}

std::string FabricView::at(const WalkNode& at, std::string_view field) const {
    return at_walk(fmt::format("nodes/{}/{}", &at - walk.nodes.data(), field));
}

std::string FabricView::at(LinkEnd end, std::string_view field) const {
    const WalkNode& owner = walk.nodes[end.node];
    return at(owner, fmt::format("ports/{}/{}", port(end) - owner.ports.data(), field));
}

std::string FabricView::at(const SmInfo& sm, std::string_view field) const {
    return at_walk(fmt::format("sms/{}/{}", &sm - walk.sms.data(), field));
}

const WalkNode* FabricView::owner(Guid port_guid) const {
    for (const auto& candidate : walk.nodes)
        for (const auto& port : candidate.ports)
            if (port.guid == port_guid) return &candidate;
    return nullptr;
}

std::optional<FabricView::Group> FabricView::ipoib_group() const {
    for (const auto& ref : node.ports) {
        if (!ref.port.subnet || !ref.device.node_guid) continue;
        // The port's view counts when this walk has met the port.
        bool met = false;
        for (const auto& candidate : walk.nodes)
            met |= candidate.guid == *ref.device.node_guid && candidate.find_port(ref.port.number);
        if (!met) continue;
        const auto& groups = ref.port.subnet->ipoib_groups;
        for (std::size_t i = 0; i < groups.size(); ++i)
            if (groups[i].group)
                return Group{groups[i].group->mtu,
                             node.at(ref, fmt::format("subnet/ipoib_groups/{}/group/mtu", i))};
    }
    return std::nullopt;
}

}  // namespace pve_rdma::doctor
