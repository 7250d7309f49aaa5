// The route that the kernel takes to an address now (RTM_GETROUTE, as `ip route get`): rules, tables and what
// it has learned about the path included. Source: inet_rtm_getroute() of net/ipv4/route.c,
// inet6_rtm_getroute() of net/ipv6/route.c. Cost: one message. Threads: as the transport.
#pragma once

#include "facts/link.h"
#include "facts/route.h"
#include "observe/netlink_transport.h"

namespace pve_rdma {

// `ifindex`: the link to leave by (link-local addresses need it); 0: any. `links` gives names to ifindexes.
// An error is the route's: ENETUNREACH no route, EHOSTUNREACH, EACCES (type prohibit), EINVAL (type
// blackhole).
Result<Route> route_to(NetlinkTransport&, std::span<const Link> links, const IpAddress&,
                       std::uint32_t ifindex = 0);

}  // namespace pve_rdma
