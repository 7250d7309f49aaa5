// Routes: which one wins, and whether its next hop can be reached.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number.h"
#include "doctor/cluster.h"
#include "doctor/findings.h"
#include "doctor/ip_network.h"
#include "doctor/node.h"
#include "doctor/rules.h"

namespace pve_rdma::doctor {

namespace {

constexpr std::size_t most_networks = 256;  // of all RoCE interfaces, in the comparison of nodes

bool is_main(const Route& route) {
    return route.table == "main" || route.table.empty();
}

bool has_flag(const std::vector<std::string>& flags, std::string_view flag) {
    return std::ranges::find(flags, flag) != flags.end();
}

bool is_unicast(const Route& route) {
    return route.type.empty() || route.type == "unicast";
}

std::string shown(const Route& route) {
    std::string text = fmt::format("{} dev {}", route.dst.text(), route.dev.value_or("?"));
    if (route.gateway)
        text = fmt::format("{} via {} dev {}", route.dst.text(), route.gateway->text(), *route.dev);
    return text;
}

void equal_defaults(const Node& node, Findings& out) {
    std::map<std::pair<std::string, std::uint32_t>, std::vector<const Route*>> by_metric;
    for (const auto& route : node.report.routes) {
        if (!route.dst.is_default() || !is_main(route) || !is_unicast(route) || !route.dev || route.tos)
            continue;
        // Router advertisements give equal metrics on purpose.
        if (route.family == "inet6" && route.protocol == "ra") continue;
        by_metric[{route.family, route.metric.value_or(0)}].push_back(&route);
    }
    for (const auto& [key, routes] : by_metric) {
        if (routes.size() < 2) continue;
        std::vector<std::string> texts;
        for (const Route* route : routes)
            texts.push_back(shown(*route));
        auto& finding =
            out.add("default", fmt::format("{} default routes ({}) have the same metric {}: {}. Which one "
                                           "wins depends on the order in which they were added.",
                                           routes.size(), key.first, key.second, fmt::join(texts, "; ")));
        for (const Route* route : routes)
            finding.because(node.at(*route, "dev"), route->dev);
    }
}

struct Sharing {
    const Address* address;
    const Link* link;
};

bool has_source_rule(const Node& node, const Address& address) {
    const std::string own = address.local->text();
    return std::ranges::any_of(node.report.rules, [&](const auto& rule) { return rule.src == own; });
}

std::uint64_t sysctl(const Node& node, const std::string& name) {
    const auto found = node.report.system.sysctls.find(name);
    return found == node.report.system.sysctls.end() ? 0
                                                     : parse_number<std::uint64_t>(found->second).value_or(0);
}

void shared_subnet(const Node& node, Findings& out) {
    std::map<std::string, std::vector<Sharing>> networks;
    for (const auto& address : node.report.addresses) {
        if (address.family != "inet" || is_local_only(address) || address.prefixlen > 30) continue;
        const Link* const link = node.find_link(address.ifname);
        if (!link || !is_up(*link) || !link->carrier.value_or(true) || is_guest(*link)) continue;
        auto& sharing = networks[network_text(address)];
        if (std::ranges::none_of(sharing, [&](const Sharing& one) { return one.link == link; }))
            sharing.push_back({&address, link});
    }
    for (const auto& [network, sharing] : networks) {
        if (sharing.size() < 2) continue;
        std::vector<std::string> names;
        std::set<std::uint32_t> metrics;
        bool rules = true;
        for (const auto& [address, link] : sharing) {
            names.push_back(link->ifname);
            metrics.insert(address->metric.value_or(0));
            rules &= has_source_rule(node, *address);
        }
        if (rules) continue;  // each address has its own table: it was thought of
        const std::uint64_t strict = sysctl(node, "net.ipv4.conf.all.rp_filter");
        const bool ordered = metrics.size() == sharing.size() && strict != 1;
        const std::uint64_t filter = sysctl(node, "net.ipv4.conf.all.arp_filter");
        auto& finding = out.add(
            names.front(), fmt::format("{} are all in {}: the kernel sends by {} alone, and any of them may "
                                       "answer for another's address (arp_filter {}, arp_ignore {}){}.",
                                       fmt::join(names, ", "), network,
                                       ordered ? "the lowest metric" : "the first connected route", filter,
                                       sysctl(node, "net.ipv4.conf.all.arp_ignore"),
                                       strict == 1 ? "; rp_filter 1 drops what comes in by the others" : ""));
        for (const auto& [address, link] : sharing)
            finding.because(node.at(*address, "local"), address->local);
        if (ordered) finding.as(Severity::info);
    }
}

// Networks that a link reaches without a gateway.
class OnLink {
  public:
    explicit OnLink(const Node& node) {
        for (const auto& address : node.report.addresses) {
            if (!address.local) continue;
            networks_[address.ifname].push_back(
                {address.address.value_or(*address.local), address.prefixlen});
        }
        for (const auto& route : node.report.routes)
            if (route.dev && !route.gateway && !route.via && is_unicast(route) && !route.dst.is_default())
                networks_[*route.dev].push_back({route.dst.address, route.dst.length});
    }
    bool reaches(const std::string& dev, const IpAddress& gateway) const {
        const auto found = networks_.find(dev);
        return found != networks_.end() && std::ranges::any_of(found->second, [&](const auto& network) {
                   return covers(network.first, network.second, gateway);
               });
    }
    // Another link that does.
    std::string who_reaches(const IpAddress& gateway) const {
        for (const auto& [dev, networks] : networks_)
            if (reaches(dev, gateway)) return dev;
        return {};
    }

  private:
    std::map<std::string, std::vector<std::pair<IpAddress, std::uint32_t>>> networks_;
};

void unreachable_gateway(const Node& node, Findings& out) {
    if (node.report.addresses.empty()) return;
    const OnLink on_link(node);
    for (const auto& route : node.report.routes) {
        if (!route.gateway || !route.dev || route.family != "inet" || !is_unicast(route)) continue;
        if (has_flag(route.flags, "onlink") || has_flag(route.flags, "dead")) continue;
        if (on_link.reaches(*route.dev, *route.gateway)) continue;
        const std::string better = on_link.who_reaches(*route.gateway);
        auto& finding =
            out.add(*route.dev,
                    fmt::format("The route {} leads to a next hop that {} does not reach directly{}.",
                                shown(route), *route.dev,
                                better.empty() ? "" : fmt::format("; {} does", better)))
                .because(node.at(route, "gateway"), route.gateway)
                .because(node.at(route, "dev"), route.dev);
        if (better.empty())
            finding.as(Certainty::likely);
        else
            finding.do_this(fmt::format("ip route replace {} via {} dev {}.", route.dst.text(),
                                        route.gateway->text(), better));
    }
}

void left_over(const Node& node, Findings& out) {
    std::map<std::string, std::vector<const Route*>> same;
    for (const auto& route : node.report.routes)
        if (route.gateway && route.dev && is_main(route) && is_unicast(route) && route.protocol != "ra")
            same[fmt::format("{} {}", route.family, shown(route))].push_back(&route);
    for (const auto& [key, routes] : same) {
        std::set<std::uint32_t> metrics;
        for (const Route* route : routes)
            metrics.insert(route->metric.value_or(0));
        if (metrics.size() < 2) continue;
        auto& finding = out.add(*routes.front()->dev,
                                fmt::format("{} stands {} times, with the metrics {}: a change of the metric "
                                            "adds a route and leaves the old one.",
                                            shown(*routes.front()), routes.size(), fmt::join(metrics, ", ")));
        for (const Route* route : routes)
            finding.because(node.at(*route, "metric"), route->metric);
    }
}

void default_into_nothing(const Node& node, Findings& out) {
    for (const auto& route : node.report.routes) {
        if (!route.dst.is_default() || !route.dev || !is_main(route) || !is_unicast(route)) continue;
        const Link* const link = node.find_link(*route.dev);
        if (!link) continue;
        if (link->bridge && node.ports_of(link->ifname).empty()) {
            std::vector<std::string> free;
            for (const auto& other : node.report.links)
                if (other.parentdev && !other.master && other.link_type == "ether" && !other.info_kind)
                    free.push_back(other.ifname);
            out.add(link->ifname, fmt::format("The default route leads into the bridge {}, which has no "
                                              "port: its network card is gone or was renamed.{}",
                                              link->ifname,
                                              free.empty() ? ""
                                                           : fmt::format(" Cards that belong to nothing: {}.",
                                                                         fmt::join(free, ", "))))
                .because(node.at(route, "dev"), route.dev)
                .because(node.at(*link, "info_kind"), link->info_kind);
        } else if (has_flag(route.flags, "linkdown") || (is_up(*link) && link->carrier == false)) {
            out.add(link->ifname,
                    fmt::format("The default route leads over {}, which has no carrier.", link->ifname))
                .because(node.at(route, "dev"), route.dev)
                .because(node.at(*link, "carrier"), link->carrier)
                .as(Severity::warning);
        }
    }
}

// A RoCE network of another node that this one reaches by its default route only.
void rail_by_default_route(const Cluster& cluster, Findings& out) {
    std::map<std::string, const Address*> rails;
    const auto each_rail = [](const Node& node, auto&& use) {
        for (const auto& address : node.report.addresses) {
            if (address.family != "inet" || is_local_only(address)) continue;
            const Link* const link = node.find_link(address.ifname);
            const PortRef* const ref = link ? node.port_of(*link) : nullptr;
            if (ref && is_ethernet(*ref)) use(address);
        }
    };
    for (const auto& node : cluster.nodes())
        each_rail(node, [&](const Address& address) { rails.emplace(network_text(address), &address); });
    if (rails.size() < 2) return;
    if (rails.size() > most_networks) {
        out.unknown(fmt::format("routes between RoCE networks: more than {} networks", most_networks));
        return;
    }
    for (const auto& node : cluster.nodes()) {
        bool has_rail = false;
        each_rail(node, [&](const Address&) { has_rail = true; });
        if (!has_rail) continue;
        std::vector<std::string> missing;
        const Route* way = nullptr;
        for (const auto& [network, rail] : rails) {
            const Route* best = nullptr;
            for (const auto& route : node.report.routes)
                if (is_main(route) && route.family == "inet" && is_unicast(route) &&
                    (route.dst.is_default() || covers(route.dst.address, route.dst.length, *rail->local)) &&
                    (!best || route.dst.length > best->dst.length))
                    best = &route;
            if (!best || !best->dst.is_default()) continue;
            const Link* const link = best->dev ? node.find_link(*best->dev) : nullptr;
            if (link && node.port_of(*link)) continue;
            missing.push_back(network);
            way = best;
        }
        if (missing.empty()) continue;
        out.add(*way->dev, fmt::format("{} reaches the RoCE networks {} by its default route over {}, which "
                                       "is no RDMA interface.",
                                       node.name, fmt::join(missing, ", "), *way->dev))
            .because_of(node.name, node.at(*way, "dev"), way->dev);
    }
}

}  // namespace

std::vector<Rule> route_rules() {
    return {
        {.id = "ROUTE-01",
         .severity = Severity::error,
         .title = "Default routes with one metric",
         .reads = "/routes",
         .condition = "two default routes of one family in the main table with the same metric; those of "
                      "router advertisements do not count",
         .meaning = "Which one carries the traffic depends on the order of events at boot.",
         .remedy = "One default route, or distinct metrics: the lowest wins.",
         .sources = "measured in network namespaces; openshift/machine-config-operator pull request 2898",
         .needs = {Part::routes},
         .node = equal_defaults},
        {.id = "ROUTE-02",
         .severity = Severity::warning,
         .title = "Several interfaces in one subnet",
         .reads = "/addresses; /rules; /system/sysctls rp_filter, arp_filter, arp_ignore",
         .condition = "two interfaces with a link have IPv4 addresses of one network, without a rule for "
                      "each address; with distinct metrics and rp_filter other than 1: for information",
         .meaning = "Everything leaves by one interface, neighbours learn changing addresses, and with "
                    "rp_filter 1 answers are dropped.",
         .remedy = "A subnet for each interface; or a bond; or metrics with rp_filter 2 and arp_filter 1; or "
                   "a table with a rule for each address.",
         .sources = "measured in network namespaces; NVIDIA/nccl issue 1269; ip-sysctl.rst",
         .needs = {Part::links, Part::routes},
         .node = shared_subnet},
        {.id = "ROUTE-03",
         .severity = Severity::error,
         .title = "A next hop that the interface does not reach",
         .reads = "/routes; /addresses",
         .condition = "an IPv4 route whose gateway is in no network of its interface, without onlink",
         .meaning = "Left over when an address was changed, or a route on the wrong interface: packets wait "
                    "for an answer that never comes.",
         .remedy =
             "The interface that has the gateway's network; or onlink, where the gateway is really there.",
         .sources = "measured in network namespaces",
         .needs = {Part::links, Part::routes},
         .node = unreachable_gateway},
        {.id = "ROUTE-04",
         .severity = Severity::warning,
         .title = "One route with several metrics",
         .reads = "/routes",
         .condition = "the same destination, gateway and interface with different metrics",
         .meaning = "The metric is part of a route's key: changing it adds another, and the old one comes "
                    "back when the new one goes.",
         .remedy = "Delete the others by their metric: ip route del ... metric N.",
         .sources = "measured with ifupdown2 3.0.0; NetworkConfiguration/dhcpcd issue 542",
         .needs = {Part::routes},
         .node = left_over},
        {.id = "ROUTE-05",
         .severity = Severity::error,
         .title = "The default route leads nowhere",
         .reads = "/routes; /links/*/bridge, master, carrier",
         .condition = "it leads into a bridge without ports; over a link without carrier: a warning",
         .meaning = "The node has an address and a route and reaches nobody. Typical after a card moved to "
                    "another slot: its name changed, and the bridge waits for the old one.",
         .remedy = "Write the new name into bridge-ports, and pin names to addresses with a .link file.",
         .sources = "hexie.dev, bridge with no slave",
         .needs = {Part::links, Part::routes},
         .node = default_into_nothing},
        {.id = "ROUTE-06",
         .severity = Severity::info,
         .title = "An RDMA network is reached by the default route",
         .reads = "/routes, /addresses of all nodes",
         .condition = "a node with RoCE interfaces reaches the RoCE network of another by its default route, "
                      "over an interface that is none",
         .meaning = "RDMA does not work there, and storage traffic takes the management network.",
         .remedy = "A route for each rail: NETWORK via RAIL-GATEWAY dev RAIL-INTERFACE src OWN-ADDRESS.",
         .sources = "Mellanox/k8s-rdma-shared-dev-plugin issue 297",
         .cluster = rail_by_default_route},
    };
}

}  // namespace pve_rdma::doctor
