// Echo requests over the running kernel: one socket for IPv4 and one for IPv6.
//
// ICMP datagram sockets, which need no privilege where net.ipv4.ping_group_range has one of the caller's
// groups (it governs IPv6 too; net/ipv4/ping.c), else raw sockets (CAP_NET_RAW). IP_MTU_DISCOVER is PROBE:
// fragmentation is forbidden and what the kernel has learned about the path is not heeded (ip(7), ipv6(7)).
// ICMP errors come through the error queue (IP_RECVERR, IPV6_RECVERR; linux/errqueue.h).
#pragma once

#include <memory>

#include "observe/echo_transport.h"

namespace pve_rdma {

// Opens the sockets of the families asked for. ErrorCode::permission when neither kind of socket may be
// opened, unavailable when the kernel lacks the family; the hint says what to do.
Result<std::unique_ptr<EchoTransport>> open_icmp_sockets(bool v4, bool v6);

}  // namespace pve_rdma
