#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "base/number.h"
#include "facts/ip_network.h"
#include "plan/merge_parts.h"

namespace pve_rdma {

namespace {

// Routes by their destination; what goes is marked, and left out at the end.
class RouteTable {
  public:
    explicit RouteTable(std::vector<RouteEntry> routes) : routes_(std::move(routes)), gone_(routes_.size()) {
        by_destination_.reserve(routes_.size());
        for (std::uint32_t i = 0; i < routes_.size(); ++i)
            by_destination_.emplace(destination_key(routes_[i]), i);
    }
    // Calls `each` with every route to there that is left; it may change the route, not its destination.
    template <class Each>
    void each_to(const RouteEntry& there, Each&& each) {
        const auto [first, last] = by_destination_.equal_range(destination_key(there));
        for (auto at = first; at != last; ++at)
            if (!gone_[at->second]) each(routes_[at->second], at->second);
    }
    void add(RouteEntry route) {
        by_destination_.emplace(destination_key(route), static_cast<std::uint32_t>(routes_.size()));
        routes_.push_back(std::move(route));
        gone_.push_back(false);
    }
    void drop(std::uint32_t index) { gone_[index] = true; }
    std::vector<RouteEntry> take() {
        std::vector<RouteEntry> left;
        left.reserve(routes_.size());
        for (std::uint32_t i = 0; i < routes_.size(); ++i)
            if (!gone_[i]) left.push_back(std::move(routes_[i]));
        return left;
    }

  private:
    std::vector<RouteEntry> routes_;
    std::vector<bool> gone_;
    std::unordered_multimap<std::string, std::uint32_t> by_destination_;
};

bool v6_of(const DesiredRoute& want) {
    if (want.via) return want.via->is_v6();
    if (want.src) return want.src->is_v6();
    const auto prefix = IpPrefix::parse(want.to);
    return want.to.contains(':') || (prefix && prefix->address.is_v6() && want.to != "default");
}

RouteEntry entry_of(const DesiredRoute& want) {
    RouteEntry entry{.v6 = v6_of(want), .to = *IpPrefix::parse(want.to)};
    entry.to.address.length = entry.v6 ? 16 : 4;
    entry.via = want.via;
    entry.source = want.src;
    entry.table = want.table.value_or("main");
    entry.type = want.type.value_or("unicast");
    entry.metric = want.metric.value_or(entry.v6 ? 1024 : 0);
    entry.mtu = want.mtu.value_or(0);
    entry.advmss = want.advmss.value_or(0);
    entry.onlink = want.onlink.value_or(false);
    entry.scope = !entry.v6 && !entry.via && entry.type == "unicast" ? "link" : "global";
    return entry;
}

class RouteMerger {
  public:
    RouteMerger(const Desired& desired, Merged& merged)
        : desired_(desired), merged_(merged), table_(std::move(merged.target.routes)) {
        by_destination_.reserve(desired.routes.size());
        for (const auto& want : desired.routes)
            by_destination_.emplace(destination_key(entry_of(want)), &want);
    }

    void run() {
        for (const auto& want : desired_.routes)
            if (!absent(want.state)) ensure(want);
        for (const auto& want : desired_.routes)
            if (absent(want.state)) remove(want);
        merged_.target.routes = table_.take();
    }

  private:
    void refuse(ErrorCode code, const RouteEntry& route, std::string message, std::string hint = {}) {
        merged_.refusals.push_back({.code = code,
                                    .subject = "route " + route.text(),
                                    .message = std::move(message),
                                    .hint = std::move(hint)});
    }

    // The link whose networks hold the gateway; empty when none or several do.
    std::string link_towards(const IpAddress& gateway) const {
        std::string found;
        for (const auto& address : merged_.target.addresses)
            if (covers(address.local, address.length, gateway)) {
                if (!found.empty() && found != address.dev) return {};
                found = address.dev;
            }
        return found;
    }

    bool gateway_on_link(const RouteEntry& route) const {
        if (!route.via || route.onlink) return true;
        if (route.v6 && route.via->octets[0] == 0xfe && (route.via->octets[1] & 0xc0) == 0x80) return true;
        return std::ranges::any_of(merged_.target.addresses, [&](const AddressEntry& address) {
            return address.dev == route.dev && covers(address.local, address.length, *route.via);
        });
    }

    void ensure(const DesiredRoute& want) {
        RouteEntry entry = entry_of(want);
        if (entry.type == "unicast") {
            entry.dev = want.dev ? *want.dev : entry.via ? link_towards(*entry.via) : "";
            if (entry.dev.empty())
                return refuse(ErrorCode::bad_request, entry, "it is not clear through which link it leads",
                              "name it: \"dev\"");
            const Link* link = merged_.target.find(entry.dev);
            if (!link)
                return refuse(ErrorCode::not_found, entry, fmt::format("there is no link {}", entry.dev));
            if (!is_up(*link))
                return refuse(ErrorCode::conflict, entry, fmt::format("the link {} is down", entry.dev),
                              "a route needs its link up: \"up\": true");
        }
        if (!gateway_on_link(entry))
            return refuse(ErrorCode::bad_request, entry,
                          fmt::format("its gateway is in no network of {}", entry.dev),
                          "\"onlink\": true says that it is reached all the same");
        if (entry.source && std::ranges::none_of(merged_.target.addresses, [&](const AddressEntry& address) {
                return address.local == *entry.source;
            }))
            return refuse(ErrorCode::bad_request, entry, "this node does not have its source address");

        const RouteEntry* same = nullptr;
        std::optional<std::uint32_t> place;
        table_.each_to(entry, [&](RouteEntry& route, std::uint32_t index) {
            if (route.metric != entry.metric) return;
            place = index;
            const bool fits = route.same_way(entry) && (!want.src || route.source == want.src) &&
                              (!want.mtu || route.mtu == entry.mtu) &&
                              (!want.advmss || route.advmss == entry.advmss) &&
                              (!want.onlink || route.onlink == entry.onlink);
            if (fits) same = &route;
        });
        if (same) return;
        inherit(entry);
        if (place) {
            table_.each_to(entry, [&](const RouteEntry& route, std::uint32_t index) {
                if (index == *place)
                    merged_.notes.push_back(
                        fmt::format("the route {} (protocol {}) is replaced", route.text(), route.protocol));
            });
            table_.drop(*place);
        }
        table_.add(std::move(entry));
    }

    // A route of which another metric is to go moves: it stays whose it was, and what else it says.
    void inherit(RouteEntry& entry) {
        const auto [first, last] = by_destination_.equal_range(destination_key(entry));
        for (auto at = first; at != last; ++at) {
            const DesiredRoute& other = *at->second;
            if (!absent(other.state)) continue;
            table_.each_to(entry, [&](const RouteEntry& route, std::uint32_t) {
                if (!route.same_way(entry) || route.metric == entry.metric || !matches(route, other)) return;
                const RouteEntry wanted = entry;
                entry = route;
                entry.metric = wanted.metric;
                if (wanted.source) entry.source = wanted.source;
                if (wanted.mtu) entry.mtu = wanted.mtu;
            });
        }
    }

    static bool matches(const RouteEntry& route, const DesiredRoute& want) {
        return (!want.via || route.via == want.via) && (!want.dev || route.dev == *want.dev) &&
               (!want.metric || route.metric == *want.metric) && (!want.src || route.source == want.src) &&
               (!want.type || route.type == *want.type);
    }

    bool wanted_too(const RouteEntry& route) const {
        const auto [first, last] = by_destination_.equal_range(destination_key(route));
        return std::any_of(first, last, [&](const auto& one) {
            const DesiredRoute& want = *one.second;
            return !absent(want.state) && entry_of(want).metric == route.metric && matches(route, want);
        });
    }

    void remove(const DesiredRoute& want) {
        const RouteEntry entry = entry_of(want);
        bool found = false;
        table_.each_to(entry, [&](const RouteEntry& route, std::uint32_t index) {
            if (!matches(route, want)) return;
            found = true;
            if (!wanted_too(route)) table_.drop(index);
        });
        if (found) return;
        for (const auto& address : merged_.target.addresses)
            if ((!want.dev || address.dev == *want.dev) && !want.via && entry.table == "main" &&
                !address.noprefixroute &&
                entry.to == IpPrefix{masked(address.local, address.length), address.length} &&
                (!want.metric || *want.metric == address.metric))
                return refuse(ErrorCode::conflict, entry,
                              fmt::format("it follows from the address {}", address.text()),
                              "give that address another metric, or remove the address");
    }

    const Desired& desired_;
    Merged& merged_;
    RouteTable table_;
    std::unordered_multimap<std::string, const DesiredRoute*> by_destination_{};
};

RuleEntry entry_of(const DesiredRule& want, std::vector<Error>& refusals) {
    RuleEntry entry{.v6 = want.family == "inet6", .priority = want.priority};
    const auto prefix = [&](const std::optional<std::string>& text, std::optional<IpPrefix>& to) {
        if (!text || *text == "all") return;
        const auto parsed = IpPrefix::parse(*text);
        if (!parsed) {
            refusals.push_back(parsed.error());
            return;
        }
        to = *parsed;
        entry.v6 = parsed->address.is_v6();
    };
    prefix(want.from, entry.from);
    prefix(want.to, entry.to);
    entry.iif = want.iif.value_or("");
    entry.oif = want.oif.value_or("");
    entry.table = want.table.value_or("main");
    if (want.fwmark) {
        const auto slash = want.fwmark->find('/');
        const auto mark = parse_number<std::uint32_t>(want.fwmark->substr(0, slash), 0);
        const auto mask = slash == std::string::npos
                              ? std::optional(UINT32_MAX)
                              : parse_number<std::uint32_t>(want.fwmark->substr(slash + 1), 0);
        if (!mark || !mask)
            refusals.push_back({.code = ErrorCode::bad_request,
                                .subject = "fwmark " + want.fwmark->substr(0, 40),
                                .message = "a number, or a number and a mask, is expected",
                                .hint = "0x10/0xff"});
        entry.mark = mark.value_or(0);
        entry.mask = mask.value_or(0);
    }
    return entry;
}

}  // namespace

void merge_routes(const Desired& desired, Merged& merged) {
    if (!desired.routes.empty()) RouteMerger(desired, merged).run();
}

void merge_rules(const Desired& desired, Merged& merged) {
    auto& rules = merged.target.rules;
    for (const auto& want : desired.rules) {
        const RuleEntry entry = entry_of(want, merged.refusals);
        const auto known =
            std::ranges::find_if(rules, [&](const auto& one) { return one.same_place(entry); });
        if (absent(want.state)) {
            if (known != rules.end()) rules.erase(known);
        } else if (known == rules.end()) {
            rules.push_back(entry);
        }
    }
}

}  // namespace pve_rdma
