// Addresses of the model: net/ipv4/devinet.c, net/ipv6/addrconf.c.
#include <algorithm>
#include <cerrno>

#include "apply/fake_state.h"
#include "facts/ip_network.h"

namespace pve_rdma {

namespace {

const IpAddress& far_end(const AddressEntry& address) {
    return address.peer ? *address.peer : address.local;
}

// The first IPv4 address of a subnet is the primary one (__inet_insert_ifa()).
bool is_secondary_of(const AddressEntry& one, const AddressEntry& primary) {
    return !one.local.is_v6() && one.dev == primary.dev && one.length == primary.length &&
           one.scope == primary.scope && covers(far_end(primary), one.length, far_end(one));
}

bool is_set(const Network& network, const std::string& name) {
    const auto found = network.sysctls.find(name);
    return found != network.sysctls.end() && found->second != "0";
}

bool has_address(const Network& network, const IpAddress& address) {
    return std::ranges::find(network.addresses, address, &AddressEntry::local) != network.addresses.end();
}

// What goes with an IPv4 address (fib_del_ifaddr(), fib_sync_down_addr()).
void drop_routes_of(Network& network, const AddressEntry& gone) {
    if (!has_address(network, gone.local))
        std::erase_if(network.routes, [&](const RouteEntry& route) { return route.source == gone.local; });
    const bool any_left = std::ranges::any_of(network.addresses, [&](const AddressEntry& address) {
        return address.dev == gone.dev && !address.local.is_v6();
    });
    if (!any_left)
        std::erase_if(network.routes,
                      [&](const RouteEntry& route) { return !route.v6 && route.dev == gone.dev; });
}

}  // namespace

std::optional<RouteEntry> connected_route(const Network& network, const AddressEntry& address) {
    const Link* link = network.find(address.dev);
    if (!link || !is_up(*link) || address.noprefixroute) return std::nullopt;
    RouteEntry route{.v6 = address.local.is_v6(),
                     .to = {masked(far_end(address), address.length), address.length},
                     .dev = address.dev,
                     .metric = address.metric,
                     .scope = address.local.is_v6() ? "global" : "link",
                     .protocol = "kernel"};
    if (route.v6 && !route.metric) route.metric = 256;
    return route;
}

Result<void> add_address(FakeState& state, const AddressEntry& address) {
    Link* link = state.network.find(address.dev);
    if (!link) return kernel_refuses(ENODEV, address.dev, "");
    for (const auto& one : state.network.addresses)
        if (one.same_place(address))
            return kernel_refuses(EEXIST, address.text(), "address already assigned");
    if (address.length > address.local.length * 8)
        return kernel_refuses(EINVAL, address.text(), "Invalid prefix length");
    if (address.local.is_v6() && link->mtu.value_or(0) < smallest_ipv6_mtu)
        return kernel_refuses(EINVAL, address.text(), "IPv6 is disabled on this device");
    state.network.addresses.push_back(address);
    return {};
}

// In place; what IPv4 cannot change in place is sent as a deletion and an addition.
Result<void> replace_address(FakeState& state, const AddressEntry& before, const AddressEntry& after) {
    AddressEntry with_after = before;
    with_after.metric = after.metric;
    with_after.protocol = after.protocol;
    if (with_after == after || (after.local.is_v6() && before.length == after.length)) {
        std::ranges::replace(state.network.addresses, before, after);
        return {};
    }
    delete_address(state, before);
    return add_address(state, after);
}

void delete_address(FakeState& state, const AddressEntry& gone) {
    Network& network = state.network;
    const auto found = std::ranges::find(network.addresses, gone);
    if (found == network.addresses.end()) return;
    const bool primary = std::none_of(network.addresses.begin(), found,
                                      [&](const auto& one) { return is_secondary_of(gone, one); });
    network.addresses.erase(found);
    if (gone.local.is_v6()) {
        // The route stays, without its source (fib6_remove_prefsrc()).
        for (auto& route : network.routes)
            if (route.source == gone.local) route.source.reset();
        return;
    }
    std::vector<AddressEntry> all_gone{gone};
    if (primary && !is_set(network, "net.ipv4.conf.all.promote_secondaries") &&
        !is_set(network, "net.ipv4.conf." + gone.dev + ".promote_secondaries"))
        std::erase_if(network.addresses, [&](const AddressEntry& one) {
            const bool with_it = is_secondary_of(one, gone);
            if (with_it) all_gone.push_back(one);
            return with_it;
        });
    for (const auto& one : all_gone)
        drop_routes_of(network, one);
}

void leave_ipv6(FakeState& state, const std::string& link) {
    std::erase_if(state.network.addresses,
                  [&](const AddressEntry& one) { return one.dev == link && one.local.is_v6(); });
    std::erase_if(state.network.routes, [&](const RouteEntry& one) { return one.dev == link && one.v6; });
}

}  // namespace pve_rdma
