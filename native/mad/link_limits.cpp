#include "mad/link_limits.h"

#include <algorithm>

#include <fmt/format.h>

#include "mad/words.h"

namespace pve_rdma {

std::string port_name(const std::vector<WalkNode>& nodes, LinkEnd end) {
    const WalkNode& node = nodes[end.node];
    return fmt::format("{} port {}", node.description.empty() ? node.guid.text() : node.description,
                       end.port);
}

FabricLink link_between(const std::vector<WalkNode>& nodes, LinkEnd from, LinkEnd to) {
    FabricLink link{.from = from, .to = to, .width = {}, .speed = {}, .neighbor_mtu = 0, .capped = {}};
    const WalkPort* const a = nodes[from.node].find_port(from.port);
    const WalkPort* const b = nodes[to.node].find_port(to.port);
    const WalkPort* const known = a ? a : b;
    if (!known) return link;
    link.width = known->width;
    link.speed = known->speed;
    link.neighbor_mtu = known->neighbor_mtu;
    if (!a || !b) return link;
    link.neighbor_mtu = std::min(a->neighbor_mtu, b->neighbor_mtu);

    const auto& max_width =
        width_lanes(a->max_width) < width_lanes(b->max_width) ? a->max_width : b->max_width;
    if (width_lanes(link.width) && width_lanes(link.width) < width_lanes(max_width))
        link.capped.push_back(fmt::format("width {}, both ends may {}", link.width, max_width));
    const auto& max_speed = speed_rank(a->max_speed) < speed_rank(b->max_speed) ? a->max_speed : b->max_speed;
    if (speed_rank(link.speed) && speed_rank(link.speed) < speed_rank(max_speed))
        link.capped.push_back(fmt::format("speed {}, both ends may {}", link.speed, max_speed));

    // NeighborMTU is the SM's to set: before the link is armed it says nothing.
    const auto set = [](const WalkPort& port) { return port.state == "ARMED" || port.state == "ACTIVE"; };
    const auto [smaller, larger] = std::minmax(a->mtu_cap, b->mtu_cap);
    if (!set(*a) || !set(*b) || link.neighbor_mtu >= larger) return link;
    if (link.neighbor_mtu < smaller)
        link.capped.push_back(fmt::format("MTU {}, both ends can {}", link.neighbor_mtu, smaller));
    else
        link.capped.push_back(fmt::format("MTU {}: {} can no more, the other end can {}", link.neighbor_mtu,
                                          port_name(nodes, a->mtu_cap == smaller ? from : to), larger));
    return link;
}

}  // namespace pve_rdma
