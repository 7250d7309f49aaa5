#include "kernel/bridge_requests.h"

#include <linux/if_bridge.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

namespace pve_rdma {

namespace {

NetlinkRequest request_of(std::uint16_t type, std::uint32_t index, const VlanMembership& vlans) {
    ifinfomsg header{};
    header.ifi_family = AF_BRIDGE;
    header.ifi_index = static_cast<int>(index);
    NetlinkRequest request(type, 0);
    request.header(header);
    request.nested(IFLA_AF_SPEC, [&](NetlinkRequest& spec) {
        for (const auto& range : vlans.ranges()) {
            const auto& vlan = vlans.vlans[range.vlan];
            bridge_vlan_info info{};
            info.vid = static_cast<std::uint16_t>(range.vlan);
            if (vlan.pvid) info.flags |= BRIDGE_VLAN_INFO_PVID;
            if (vlan.untagged) info.flags |= BRIDGE_VLAN_INFO_UNTAGGED;
            if (!range.vlanEnd) {
                spec.bytes_of(IFLA_BRIDGE_VLAN_INFO, info);
                continue;
            }
            info.flags |= BRIDGE_VLAN_INFO_RANGE_BEGIN;
            spec.bytes_of(IFLA_BRIDGE_VLAN_INFO, info);
            info.vid = static_cast<std::uint16_t>(*range.vlanEnd);
            info.flags = static_cast<std::uint16_t>((info.flags & ~BRIDGE_VLAN_INFO_RANGE_BEGIN) |
                                                    BRIDGE_VLAN_INFO_RANGE_END);
            spec.bytes_of(IFLA_BRIDGE_VLAN_INFO, info);
        }
    });
    return request;
}

}  // namespace

std::vector<NetlinkRequest> vlan_requests(std::uint32_t index, const VlanMembership& before,
                                          const VlanMembership& after) {
    VlanMembership coming, going;
    for (std::size_t id = 1; id < after.vlans.size(); ++id) {
        if (after.vlans[id].carried && after.vlans[id] != before.vlans[id])
            coming.vlans[id] = after.vlans[id];
        if (!after.vlans[id].carried && before.vlans[id].carried) going.vlans[id].carried = true;
    }
    std::vector<NetlinkRequest> requests;
    if (coming != VlanMembership{}) requests.push_back(request_of(RTM_SETLINK, index, coming));
    if (going != VlanMembership{}) requests.push_back(request_of(RTM_DELLINK, index, going));
    return requests;
}

}  // namespace pve_rdma
