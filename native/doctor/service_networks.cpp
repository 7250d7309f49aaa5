#include "doctor/service_networks.h"

#include <algorithm>

#include "doctor/ip_network.h"

namespace pve_rdma::doctor {

std::vector<std::pair<const ServiceNetwork*, const Link*>> service_links(const Node& node) {
    std::vector<std::pair<const ServiceNetwork*, const Link*>> found;
    for (const auto& network : node.report.system.networks) {
        const auto prefix = IpPrefix::parse(network.network);
        if (!prefix || prefix->is_default()) continue;
        for (const auto& address : node.report.addresses) {
            if (!address.local || !covers(prefix->address, prefix->length, *address.local)) continue;
            if (const Link* const link = node.find_link(address.ifname)) found.emplace_back(&network, link);
            break;
        }
    }
    return found;
}

std::vector<const Link*> links_below(const Node& node, const Link& link) {
    std::vector<const Link*> all{&link};
    for (std::size_t i = 0; i < all.size(); ++i) {  // grows while it is walked
        const auto add = [&](const Link* below) {
            if (below && std::ranges::find(all, below) == all.end()) all.push_back(below);
        };
        const Link& at = *all[i];
        if (at.link && !at.link_netnsid) add(node.find_link(*at.link));
        for (const Link* port : node.ports_of(at.ifname))
            if (!is_guest(*port)) add(port);
    }
    return all;
}

}  // namespace pve_rdma::doctor
