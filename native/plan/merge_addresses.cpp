#include <algorithm>

#include <fmt/format.h>

#include "plan/merge_parts.h"

namespace pve_rdma {

namespace {

void ensure(Merged& merged, const std::string& dev, const DesiredAddress& want) {
    AddressEntry entry{.dev = dev, .local = want.address.address, .length = want.address.length};
    auto& addresses = merged.target.addresses;
    const auto known =
        std::ranges::find_if(addresses, [&](const auto& one) { return one.same_place(entry); });
    if (known == addresses.end()) {
        entry.metric = want.metric.value_or(0);
        if (entry.metric) entry.protocol = own_route_protocol;
        const auto elsewhere = std::ranges::find_if(
            addresses, [&](const AddressEntry& one) { return one.local == entry.local && one.dev != dev; });
        if (elsewhere != addresses.end())
            merged.notes.push_back(fmt::format("{} stands on {} too; name it there as absent",
                                               entry.local.text(), elsewhere->dev));
        addresses.push_back(std::move(entry));
        return;
    }
    if (known->length != entry.length) {  // IPv6: the kernel does not change a length
        merged.refusals.push_back(
            {.code = ErrorCode::conflict,
             .subject = entry.text(),
             .message = fmt::format("the address is there with length {}, and the kernel cannot change that",
                                    known->length),
             .hint = "remove it in one change and add it in the next"});
        return;
    }
    if (!want.metric || known->metric == *want.metric) return;
    if (known->noprefixroute) {
        merged.refusals.push_back({.code = ErrorCode::conflict,
                                   .subject = entry.text(),
                                   .message = "it has no connected route (noprefixroute), so no metric",
                                   .hint = "give the metric to the route itself"});
        return;
    }
    known->metric = *want.metric;
    // The mark by which the hook of ifupdown knows metrics that rdma-metric asked for.
    known->protocol = *want.metric ? std::optional<std::string>(own_route_protocol) : std::nullopt;
}

}  // namespace

void drop_routes_of(Merged& merged, const std::string& dev, const std::string& why) {
    std::erase_if(merged.target.routes, [&](const RouteEntry& route) {
        if (route.dev != dev) return false;
        merged.notes.push_back(fmt::format("the route {} goes: {}", route.text(), why));
        return true;
    });
}

void drop_address(Merged& merged, const AddressEntry& address) {
    Network& target = merged.target;
    std::erase_if(target.addresses, [&](const AddressEntry& one) { return one.same_place(address); });
    std::erase_if(target.routes, [&](const RouteEntry& route) {
        if (route.source != address.local) return false;
        merged.notes.push_back(fmt::format("the route {} goes with its source address", route.text()));
        return true;
    });
    const bool last =
        !address.local.is_v6() && std::ranges::none_of(target.addresses, [&](const AddressEntry& one) {
            return one.dev == address.dev && !one.local.is_v6();
        });
    if (last)
        std::erase_if(target.routes, [&](const RouteEntry& route) {
            if (route.dev != address.dev || route.v6) return false;
            merged.notes.push_back(
                fmt::format("the route {} goes with the last IPv4 address of {}", route.text(), address.dev));
            return true;
        });
}

void merge_addresses(const Desired& desired, Merged& merged) {
    // What comes, first: so the last address of a link is not thought to go when another takes its place.
    for (const auto& link : desired.links)
        if (!absent(link.state) && merged.target.find(link.name))
            for (const auto& address : link.addresses)
                if (!absent(address.state)) ensure(merged, link.name, address);
    for (const auto& link : desired.links)
        for (const auto& address : link.addresses)
            if (absent(address.state)) {
                const AddressEntry entry{
                    .dev = link.name, .local = address.address.address, .length = address.address.length};
                const auto known = std::ranges::find_if(
                    merged.target.addresses, [&](const auto& one) { return one.same_place(entry); });
                if (known != merged.target.addresses.end()) drop_address(merged, AddressEntry(*known));
            }
}

}  // namespace pve_rdma
