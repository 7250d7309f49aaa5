// Links, addresses, routes and rules of the running kernel: source "rtnetlink" of the report.
//
// All parts that are asked for are read over one socket and belong to one moment (netlink_dump.h); one that
// kept changing, or that the kernel refused, is named in the source's `unread`. The routes of the kernel's
// own table `local` (types local, broadcast, anycast, multicast) are left out unless asked for: they repeat
// the addresses. Cost: one message for each family of tables; no call and no file per link. Threads: each
// call has its own socket.
#pragma once

#include <functional>

#include "facts/report.h"
#include "observe/machine.h"
#include "observe/netlink_message.h"
#include "observe/netlink_transport.h"

namespace pve_rdma {

// Who takes the routes' messages instead of the report: a million routes need less room than Route has.
struct RouteTaker {
    std::function<void()> start_over;
    std::function<void(const NetlinkMessage&)> message;  // RTM_NEWROUTE of IPv4 or IPv6
};

struct RtnetlinkParts {
    bool links = true;  // names of links in addresses and routes need them
    bool addresses = true;
    bool routes = true;
    bool rules = true;
    bool local_table = false;
    const RouteTaker* route_taker = nullptr;
};

// On a recorded tree the source is unavailable ("recorded").
void observe_rtnetlink(const Machine&, NodeReport&, const RtnetlinkParts& = {});

// The same over a given transport; what a test drives.
Source read_rtnetlink(NetlinkTransport&, NodeReport&, const RtnetlinkParts& = {});

}  // namespace pve_rdma
