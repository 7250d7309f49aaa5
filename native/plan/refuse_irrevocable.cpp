// What could not be taken back: addresses that others lend, routes that the kernel would not take again.
#include <algorithm>
#include <span>
#include <unordered_map>

#include <fmt/format.h>

#include "facts/ip_network.h"
#include "plan/refuse_parts.h"

namespace pve_rdma {

namespace {

bool is_lent(const Address& address) {
    return address.dynamic.value_or(false);
}

// A gateway is taken when a route without one leads to it through the same link (fib_check_nh(),
// net/ipv4/fib_semantics.c); one of IPv6 that is link-local always is. `ways`: the routes without one.
bool gateway_is_on_link(const Network& network, std::span<const RouteEntry* const> ways,
                        const RouteEntry& route) {
    if (!route.via || route.onlink || (route.v6 && covers(*IpAddress::parse("fe80::"), 10, *route.via)))
        return true;
    const auto address = [&](const AddressEntry& one) {
        return one.dev == route.dev && !one.noprefixroute &&
               covers(one.peer.value_or(one.local), one.length, *route.via);
    };
    const auto way = [&](const RouteEntry* one) {
        return one->dev == route.dev && covers(one->to.address, one->to.length, *route.via);
    };
    return std::ranges::any_of(network.addresses, address) || std::ranges::any_of(ways, way);
}

}  // namespace

// Set again, such an address would stay for ever, and its lender does not know.
Refusals refuse_lent_addresses(const Safety& safety) {
    Refusals errors;
    for (const auto& address : safety.report.addresses) {
        if (!is_lent(address)) continue;
        const AddressEntry entry = address_entry(address);
        const auto same = [&](const AddressEntry& one) { return one.same_place(entry); };
        const auto now = std::ranges::find_if(safety.now.addresses, same);
        if (now == safety.now.addresses.end()) continue;
        const auto then = std::ranges::find_if(safety.target.addresses, same);
        if (then != safety.target.addresses.end() && *then == *now) continue;
        errors.push_back(
            no(entry.text(),
               "DHCP or a router's advertisement lends this address; put back, it would stay when its time "
               "is over",
               "change what asks for it (iface ... inet dhcp), or give the link an address of its own"));
    }
    return errors;
}

Refusals refuse_lost_routes(const Safety& safety) {
    const Network& now = safety.now;
    std::vector<const RouteEntry*> ways, doubtful;
    for (const auto& route : now.routes)
        if (!route.via && route.table == "main" && route.type == "unicast") ways.push_back(&route);
    for (const auto& route : now.routes) {
        const Link* link = now.find(route.dev);
        if (link && is_up(*link) && !gateway_is_on_link(now, ways, route)) doubtful.push_back(&route);
    }
    Refusals errors;
    if (doubtful.empty()) return errors;  // as nearly always: the target need not be looked through
    std::unordered_multimap<std::string, const RouteEntry*> kept;
    for (const auto& route : safety.target.routes)
        kept.emplace(place_key(route), &route);
    for (const auto* route : doubtful) {
        const auto [first, last] = kept.equal_range(place_key(*route));
        if (std::any_of(first, last, [&](const auto& one) { return *one.second == *route; })) continue;
        errors.push_back(
            no(route->text(), "its gateway is not on the link any more, so the kernel would not take it back",
               "delete it by hand (ip route del), or bring back the address that leads to the gateway"));
    }
    return errors;
}

}  // namespace pve_rdma
