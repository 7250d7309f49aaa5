// The VLANs of a bridge's port: RTM_SETLINK and RTM_DELLINK of the family AF_BRIDGE (linux/if_bridge.h,
// net/bridge/br_netlink.c).
#pragma once

#include <vector>

#include "network/vlan_membership.h"
#include "observe/netlink_message.h"

namespace pve_rdma {

// In the order in which they are to be sent: what comes, then what goes. None where both are the same.
std::vector<NetlinkRequest> vlan_requests(std::uint32_t index, const VlanMembership& before,
                                          const VlanMembership& after);

}  // namespace pve_rdma
