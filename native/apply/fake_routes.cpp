// Routes of the model: net/ipv4/fib_semantics.c, net/ipv6/route.c.
#include <algorithm>
#include <cerrno>

#include "apply/fake_state.h"
#include "facts/ip_network.h"

namespace pve_rdma {

namespace {

// A prefix of length 0 does not say its family.
bool leads_to(const RouteEntry& route, const IpAddress& address) {
    return route.v6 == address.is_v6() &&
           (route.to.is_default() || covers(route.to.address, route.to.length, address));
}

bool has_host_bits(const IpPrefix& prefix) {
    return masked(prefix.address, prefix.length) != prefix.address;
}

bool is_link_local(const IpAddress& address) {
    return address.is_v6() && address.octets[0] == 0xfe && (address.octets[1] & 0xc0) == 0x80;
}

// A gateway is a neighbour: an address's network, or a route without a gateway, leads to it.
bool is_neighbour(const Network& network, const RouteEntry& route) {
    if (is_link_local(*route.via)) return true;
    const auto leads_there = [&](const RouteEntry& one) {
        return one.dev == route.dev && !one.via && (one.v6 || one.scope == "link") &&
               leads_to(one, *route.via);
    };
    for (const auto& address : network.addresses)
        if (const auto connected = connected_route(network, address); connected && leads_there(*connected))
            return true;
    return std::ranges::any_of(network.routes, leads_there);
}

Result<void> check(const Network& network, const RouteEntry& route) {
    const std::string subject = route.text();
    if (!route.v6 && has_host_bits(route.to))
        return kernel_refuses(EINVAL, subject, "Invalid prefix for given prefix length");
    const bool rejects = route.type != "unicast";
    if (!rejects) {
        const Link* link = network.find(route.dev);
        if (!link) return kernel_refuses(ENODEV, subject, "");
        if (route.v6 && link->mtu.value_or(0) < smallest_ipv6_mtu) return kernel_refuses(ENODEV, subject, "");
        if (!is_up(*link)) return kernel_refuses(ENETDOWN, subject, "Device for nexthop is not up");
        const bool on_link = route.onlink || !route.via || is_neighbour(network, route);
        if (!on_link && route.v6) return kernel_refuses(EHOSTUNREACH, subject, "");
        if (!on_link) return kernel_refuses(ENETUNREACH, subject, "Nexthop has invalid gateway");
    }
    if (route.source &&
        std::ranges::find(network.addresses, *route.source, &AddressEntry::local) == network.addresses.end())
        return kernel_refuses(EINVAL, subject,
                              route.v6 ? "Invalid source address" : "Invalid prefsrc address");
    return {};
}

}  // namespace

Result<void> add_route(FakeState& state, const RouteEntry& route) {
    if (const auto fine = check(state.network, route); !fine) return fine;
    const auto in_the_way = [&](const RouteEntry& one) { return one.same_place(route); };
    bool exists = std::ranges::any_of(state.network.routes, in_the_way);
    for (const auto& address : state.network.addresses)
        if (const auto connected = connected_route(state.network, address)) exists |= in_the_way(*connected);
    if (exists) return kernel_refuses(EEXIST, route.text(), "");
    state.network.routes.push_back(route);
    return {};
}

Result<void> replace_route(FakeState& state, const RouteEntry& before, const RouteEntry& after) {
    if (const auto fine = check(state.network, after); !fine) return fine;
    std::ranges::replace(state.network.routes, before, after);
    return {};
}

void delete_route(FakeState& state, const RouteEntry& route) {
    std::erase(state.network.routes, route);
}

}  // namespace pve_rdma
