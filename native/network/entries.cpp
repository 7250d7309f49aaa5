#include "network/entries.h"

#include <fmt/format.h>

namespace pve_rdma {

std::string AddressEntry::text() const {
    return fmt::format("{}/{} dev {}", local.text(), length, dev);
}

std::string RouteEntry::text() const {
    std::string text = type == "unicast" ? "" : type + " ";
    text += to.is_default() && v6 ? "::/0" : to.text();
    if (via) text += " via " + via->text();
    if (!dev.empty()) text += " dev " + dev;
    if (source) text += " src " + source->text();
    if (metric) text += fmt::format(" metric {}", metric);
    if (table != "main") text += " table " + table;
    if (tos) text += " tos " + *tos;
    if (mtu) text += fmt::format(" mtu {}", mtu);
    if (onlink) text += " onlink";
    return text;
}

std::string RuleEntry::text() const {
    std::string text = v6 ? "inet6 " : "";
    if (from) text += "from " + from->text() + " ";
    if (to) text += "to " + to->text() + " ";
    if (!iif.empty()) text += "iif " + iif + " ";
    if (!oif.empty()) text += "oif " + oif + " ";
    if (mask) text += fmt::format("fwmark {:#x}/{:#x} ", mark, mask);
    return text + fmt::format("priority {} table {}", priority, table);
}

// IPv6's own metric of a connected route is a default like IPv4's 0 (IP6_RT_PRIO_ADDRCONF); once it was
// another one, the kernel can only be asked for it by number.
AddressEntry kept(AddressEntry address) {
    if (address.local.is_v6() && address.metric == 256) address.metric = 0;
    if (address.peer == address.local) address.peer.reset();
    if (address.label == address.dev) address.label.reset();
    return address;
}

// IPv6 has a metric always, no scopes, and keeps its blackholes on the loopback device
// (ip6_route_info_create() of net/ipv6/route.c).
RouteEntry kept(RouteEntry route) {
    if (!route.v6) return route;
    if (route.metric == 0) route.metric = 1024;
    route.scope = "global";
    if (route.dev.empty()) route.dev = "lo";
    return route;
}

}  // namespace pve_rdma
