#include <algorithm>

#include "ifup/plan.h"
#include "ifup/requests.h"

namespace pve_rdma::ifup {

namespace {

template <class T>
bool holds(const std::vector<T>& entries, const T& entry) {
    return std::ranges::find(entries, entry) != entries.end();
}

template <class T>
bool wished(const std::vector<Wish<T>>& wishes, const T& entry) {
    return std::ranges::find(wishes, entry, &Wish<T>::value) != wishes.end();
}

// Under ifupdown each family is a stanza of its own, and our hook runs behind each: routes of a family whose
// addresses are still to come wait for the second run.
bool too_early(const RouteEntry& route, const Wishes& wishes, const InterfaceState& state) {
    const auto of_family = [&](const AddressEntry& address) { return address.address.is_v6() == route.v6; };
    return std::ranges::any_of(wishes.addresses, of_family, &Wish<AddressEntry>::value) &&
           std::ranges::none_of(state.addresses, [&](const AddressState& address) {
               return of_family(address.address) &&
                      std::ranges::any_of(wishes.addresses,
                                          [&](const auto& wish) { return wish.value == address.address; });
           });
}

}  // namespace

Plan plan_routes(const LinkState& link, const Wishes& wishes, const InterfaceState& state) {
    Plan plan;
    std::vector<RouteEntry> replaced;
    // Routes to neighbours first: gateways of the others may be reached through them.
    std::vector<const Wish<RouteEntry>*> ordered;
    for (const auto& wish : wishes.routes)
        if (!holds(state.routes, wish.value) && !too_early(wish.value, wishes, state))
            ordered.push_back(&wish);
    std::ranges::stable_partition(ordered, [](const auto* wish) { return !wish->value.via; });
    for (const auto* wish : ordered) {
        const RouteEntry& route = wish->value;
        const auto old = std::ranges::find_if(state.routes, [&](const RouteEntry& one) {
            return one.same_place(route) && !wished(wishes.routes, one) && !holds(replaced, one);
        });
        // With the same key, adding would shadow the old route, or make a multipath route of both.
        const bool replace = old != state.routes.end();
        if (replace) replaced.push_back(*old);
        plan.push_back({(replace ? "replace the route " : "add the route ") + route.text(), wish->origin,
                        route_request(replace ? ObjectChange::replace : ObjectChange::add, link.index, route),
                        route.v6 && route.source});
    }
    for (const auto& route : state.routes)
        if (!wished(wishes.routes, route) && !holds(replaced, route))
            plan.push_back({"delete the route " + route.text(),
                            {},
                            route_request(ObjectChange::remove, link.index, route)});
    return plan;
}

Plan plan_rules(const std::vector<Wish<RuleEntry>>& wishes, const std::vector<RuleEntry>& others,
                const std::vector<RuleEntry>& now) {
    Plan plan;
    for (const auto& wish : wishes)
        if (!holds(now, wish.value))
            plan.push_back({"add the rule " + wish.value.text(), wish.origin,
                            rule_request(ObjectChange::add, wish.value)});
    for (const auto& rule : now)
        if (!wished(wishes, rule) && !holds(others, rule))
            plan.push_back({"delete the rule " + rule.text(), {}, rule_request(ObjectChange::remove, rule)});
    return plan;
}

}  // namespace pve_rdma::ifup
