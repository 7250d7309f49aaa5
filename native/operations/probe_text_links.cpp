#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "operations/probe_text.h"

namespace pve_rdma {

namespace {

std::string speed_text(const Link& link) {
    if (!link.ethernet || !link.ethernet->speed) return {};
    const std::uint32_t speed = *link.ethernet->speed;  // Mb/s
    if (speed >= 1000 && speed % 100 == 0) return fmt::format("{:g}G", speed / 1000.0);
    return fmt::format("{}M", speed);
}

std::string kind_text(const Link& link) {
    if (link.info_kind) return *link.info_kind;
    return link.link_type;
}

Cell state_cell(const Link& link) {
    const std::string state = link.operstate.value_or("?");
    if (state == "UP") return {state, Tone::good};
    if (state == "DOWN" || state == "LOWERLAYERDOWN") {
        const bool wanted = std::ranges::find(link.flags, "UP") != link.flags.end();
        return {wanted ? "NO CARRIER" : "DOWN", wanted ? Tone::bad : Tone::dim};
    }
    return {state};
}

// What is special about a link, in few words.
std::string remarks(const Link& link, const std::vector<std::string>& addresses) {
    std::vector<std::string> parts;
    if (link.master) parts.push_back("in " + *link.master);
    if (link.bond && link.bond->mode) {
        parts.push_back(*link.bond->mode);
        if (link.bond->active_slave) parts.push_back("active " + *link.bond->active_slave);
    }
    if (link.vlan && link.vlan->id) parts.push_back(fmt::format("VLAN {}", *link.vlan->id));
    if (link.ipoib) {
        if (link.ipoib->mode) parts.push_back(*link.ipoib->mode);
        if (link.ipoib->key) parts.push_back("P_Key " + *link.ipoib->key);
    }
    if (link.link) parts.push_back("on " + *link.link);
    if (link.ethernet) {
        const auto& ethernet = *link.ethernet;
        if (ethernet.autoneg) parts.push_back(*ethernet.autoneg ? "autoneg on" : "autoneg off");
        if (ethernet.fec && ethernet.fec->active) parts.push_back("FEC " + *ethernet.fec->active);
        if (ethernet.ext_state) parts.push_back(*ethernet.ext_state);
    }
    parts.insert(parts.end(), addresses.begin(), addresses.end());
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string gateway_text(const Route& route) {
    if (route.gateway) return route.gateway->text();
    if (route.via) return route.via->host.text();
    return {};
}

}  // namespace

std::string links_text(const NodeReport& report, const TextStyle& style) {
    if (!report.sources.contains("rtnetlink")) return {};
    std::string out = heading("Links", style);
    if (report.links.empty()) return out + "  none read\n";
    std::unordered_map<std::uint32_t, std::vector<std::string>> addresses;
    for (const auto& address : report.addresses)
        if (address.local && !(address.family == "inet6" && address.scope == "link"))
            addresses[address.ifindex].push_back(
                fmt::format("{}/{}", address.local->text(), address.prefixlen));
    TextTable table({"LINK", "KIND", "STATE", "MTU", "SPEED", "MORE"});
    for (const auto& link : report.links)
        table.add({{one_line(link.ifname), Tone::bold},
                   kind_text(link),
                   state_cell(link),
                   link.mtu ? std::to_string(*link.mtu) : "?",
                   speed_text(link),
                   remarks(link, addresses[link.ifindex])});
    return out + table.render(style);
}

std::string routes_text(const NodeReport& report, const TextStyle& style) {
    TextTable table({"ROUTE", "VIA", "DEV", "METRIC", "TABLE", "MORE"});
    for (const auto& route : report.routes) {
        // The prefix of every IPv6 link's own fe80::/64 says nothing; a report has it.
        if (route.family == "inet6" && route.dst.text().starts_with("fe80::")) continue;
        std::vector<std::string> more;
        if (route.type != "unicast") more.push_back(route.type);
        if (route.prefsrc) more.push_back("src " + route.prefsrc->text());
        if (route.metrics && route.metrics->mtu) more.push_back(fmt::format("mtu {}", *route.metrics->mtu));
        for (const auto& hop : route.nexthops)
            more.push_back(fmt::format("via {} {} weight {}", hop.gateway ? hop.gateway->text() : "-",
                                       hop.dev, hop.weight));
        for (const auto& flag : route.flags)
            more.push_back(flag);
        table.add({{route.dst.text(), Tone::bold},
                   gateway_text(route),
                   route.dev.value_or(""),
                   route.metric ? std::to_string(*route.metric) : "",
                   route.table == "main" ? "" : route.table,
                   fmt::format("{}", fmt::join(more, ", "))});
    }
    std::string out;
    if (!table.empty()) out = heading("Routes", style) + table.render(style);
    return out;
}

}  // namespace pve_rdma
