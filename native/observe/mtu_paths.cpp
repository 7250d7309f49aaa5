#include "observe/mtu_paths.h"

#include <algorithm>

#include <linux/netlink.h>

#include "observe/icmp_sockets.h"

namespace pve_rdma {

Result<std::vector<Result<Route>>> find_ways(const std::vector<EchoTarget>& targets,
                                             std::span<const Link> links) {
    const auto transport = open_netlink(NETLINK_ROUTE, "rtnetlink");
    if (!transport) return std::unexpected(transport.error());
    std::vector<Result<Route>> ways;
    for (const auto& target : targets)
        ways.push_back(route_to(**transport, links, target.address, target.scope));
    return ways;
}

Result<std::vector<MtuProbe>> probe_paths(std::vector<MtuTarget> targets, const MtuProbeOptions& options) {
    if (targets.empty()) return std::vector<MtuProbe>{};
    constexpr std::uint32_t largest_packet = 65535;  // the length field of IPv4; loopback's MTU is above it
    for (auto& target : targets)
        target.largest = std::min(target.largest, largest_packet);
    const auto is_v6 = [](const MtuTarget& target) { return target.peer.address.is_v6(); };
    const auto transport =
        open_icmp_sockets(!std::ranges::all_of(targets, is_v6), std::ranges::any_of(targets, is_v6));
    if (!transport) return std::unexpected(transport.error());
    return probe_mtus(**transport, targets, options);
}

}  // namespace pve_rdma
