// The MTU chain: every hop that a packet passes on its way down from a link of this node, and the smallest.
//
// Pure functions of a report (links, addresses; devices with their subnets for IPoIB). What limits what:
//   vlan, macvlan, P_Key child   the link below; an 802.1Q tag is not part of the MTU
//   bridge                       each port: a bridge drops what is larger than the port's MTU, without a word
//                                (net/bridge/br_forward.c, is_skb_forwardable); a port towards a guest limits
//                                that guest only
//   bond                         each port, the backup too: it is the way after a failover
//   veth                         its peer, where that is in this namespace (drivers/net/veth.c)
//   vxlan                        the link below, less 50 octets, or 70 where the tunnel runs over IPv6 (RFC
//   7348) ipoib datagram               the port's MTU and the broadcast group's, each less 4 (RFC 4391, 9)
//   ipoib connected              neither: the connection cuts messages up; multicast still ends at the
//   group's
// Cost: linear in the links, for one chain. Threads: any.
#pragma once

#include "facts/mtu.h"
#include "facts/report.h"

namespace pve_rdma {

class MtuChains {
  public:
    // Keeps a reference to the report.
    explicit MtuChains(const NodeReport&);

    // Absent when no link has that name.
    std::optional<MtuChain> under(const std::string& link) const;
    // The chain of a route: that of its link, and the MTU that the route itself is given. What the kernel has
    // learned about the path (a route's MTU that expires) is no part of it: that is asked again.
    std::optional<MtuChain> under(const Route&) const;
    // One for each link that has an address other than IPv6's own fe80:: and is up, in the report's order.
    std::vector<MtuChain> all() const;

  private:
    const Link* lower_of(const Link&) const;
    void walk(MtuChain&, const Link&, MtuHop above, std::vector<const Link*>& seen) const;
    void below_bridge(MtuChain&, const Link&, const MtuHop&, std::vector<const Link*>& seen) const;
    void below_ipoib(MtuChain&, const Link&, const MtuHop&) const;
    void conclude(MtuChain&) const;

    const NodeReport& report_;
    std::map<std::string, const Link*, std::less<>> links_;
    std::map<std::string, std::vector<const Link*>, std::less<>> ports_;  // by master
};

}  // namespace pve_rdma
