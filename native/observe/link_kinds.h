// Decoders of what RTM_NEWLINK says beyond the common attributes, one per part. Each returns the first
// malformed attribute. Names of other links stand as ifindex text until LinkNames::resolve.
#pragma once

#include "facts/link.h"
#include "observe/netlink_message.h"

namespace pve_rdma {

using Malformed = std::optional<std::uint16_t>;

Malformed decode_bond(Octets, Bond&);
Malformed decode_bond_port(Octets, BondPort&);
Malformed decode_bridge(Octets, Bridge&);
Malformed decode_bridge_port(Octets, BridgePort&);
Malformed decode_bridge_vlans(Octets af_spec, std::vector<BridgeVlan>&);
Malformed decode_vlan(Octets, Vlan&);
Malformed decode_ipoib(Octets, Ipoib&);
Malformed decode_vxlan(Octets, Vxlan&);
Malformed decode_macvlan(Octets, Macvlan&);
Malformed decode_vrf(Octets, Vrf&);
Malformed decode_vrf_port(Octets, Vrf&);
Malformed decode_tun(Octets, Tun&);
// IFLA_VFINFO_LIST; how many octets of an address count follows from the link's type (ARPHRD_*).
Malformed decode_vfs(Octets, std::uint16_t link_type, std::vector<Vf>&);

// IFLA_LINKINFO: the kind, and its data where the kind is known.
Malformed decode_link_info(Octets, Link&);

}  // namespace pve_rdma
