// One message of rtnetlink to an Address, a Route or a Rule. Each returns the first malformed attribute.
// Sources: linux/if_addr.h, linux/rtnetlink.h, linux/fib_rules.h.
#pragma once

#include "facts/link.h"
#include "facts/route.h"
#include "observe/link_decode.h"

namespace pve_rdma {

Malformed decode_address(const NetlinkMessage&, Address&);
// The number of the table that RTM_NEWROUTE belongs to: cheap, before the route is decoded.
std::uint32_t route_table(const NetlinkMessage&);
// dev, iif and the nexthops' dev hold ifindex text until `resolve_route`.
Malformed decode_route(const NetlinkMessage&, Route&);
void resolve_route(Route&, const LinkNames&);
Malformed decode_rule(const NetlinkMessage&, Rule&);

}  // namespace pve_rdma
