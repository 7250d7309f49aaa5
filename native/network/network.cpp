#include "network/network.h"

#include <algorithm>

#include "base/number.h"
#include "network/settings.h"

namespace pve_rdma {

namespace {

bool has(const std::vector<std::string>& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

// Some defaults are refused when they are asked for by name: delays without MII monitoring, LACP in other
// modes (drivers/net/bonding/bond_options.c), VLAN awareness of a kernel that is built without it.
bool is_left_out(const Link& link, std::string_view key, const std::string& value) {
    if (value.empty() || value == "0" || value == "false") return true;
    return key == "bond.lacp_rate" && link.bond->mode != "802.3ad";
}

std::optional<IpPrefix> rule_prefix(const std::optional<std::string>& address,
                                    const std::optional<std::uint32_t>& length) {
    if (!address || *address == "all") return std::nullopt;
    auto prefix = IpPrefix::parse(*address);
    if (!prefix) return std::nullopt;
    if (length) prefix->length = static_cast<std::uint8_t>(*length);
    return *prefix;
}

}  // namespace

bool is_up(const Link& link) {
    return has(link.flags, "UP");
}

const Link* Network::find(const std::string& name) const {
    const auto found = std::ranges::find(links, name, &Link::ifname);
    return found == links.end() ? nullptr : &*found;
}
Link* Network::find(const std::string& name) {
    return const_cast<Link*>(static_cast<const Network&>(*this).find(name));
}

// Also of the prefixes that routers advertise.
bool is_the_kernels_own(const Route& route) {
    return route.table == "local" ||
           (route.protocol == "kernel" && !route.gateway && !route.via && route.nexthops.empty());
}

std::string untouchable_text(const Route& route) {
    return fmt::format("route {}{}", route.dst.text(), route.nexthops.empty() ? "" : " with several paths");
}

AddressEntry address_entry(const Address& address) {
    return kept({.dev = address.ifname,
                 .local = address.local.value_or(IpAddress{}),
                 .length = static_cast<std::uint8_t>(address.prefixlen),
                 .peer = address.address,
                 .broadcast = address.broadcast,
                 .scope = address.scope,
                 .metric = address.metric.value_or(0),
                 .noprefixroute = address.noprefixroute.value_or(false),
                 .nodad = address.nodad.value_or(false),
                 .label = address.label,
                 .protocol = address.protocol});
}

std::optional<RouteEntry> route_entry(const Route& route) {
    if (route.from || route.nhid || route.encap || route.via || route.flow || !route.nexthops.empty() ||
        route.iif || route.expires)
        return std::nullopt;
    RouteEntry entry{.v6 = route.family == "inet6",
                     .to = route.dst,
                     .via = route.gateway,
                     .dev = route.dev.value_or(""),
                     .source = route.prefsrc,
                     .metric = route.metric.value_or(0),
                     .table = route.table,
                     .type = route.type,
                     .scope = route.scope,
                     .protocol = route.protocol,
                     .tos = route.tos,
                     .pref = route.pref == "medium" ? std::nullopt : route.pref,
                     .onlink = has(route.flags, "onlink")};
    if (route.metrics) {
        RouteMetrics rest = *route.metrics;
        entry.mtu = rest.mtu.value_or(0);
        entry.advmss = rest.advmss.value_or(0);
        rest.mtu.reset();
        rest.advmss.reset();
        if (rest != RouteMetrics{}) return std::nullopt;
    }
    return entry;
}

std::optional<RuleEntry> rule_entry(const Rule& rule) {
    Rule rest = rule;
    RuleEntry entry{.v6 = rule.family == "inet6",
                    .priority = rule.priority,
                    .from = rule_prefix(rule.src, rule.srclen),
                    .to = rule_prefix(rule.dst, rule.dstlen),
                    .iif = rule.iif.value_or(""),
                    .oif = rule.oif.value_or(""),
                    .table = rule.table.value_or(""),
                    .protocol = rule.protocol.value_or("unspec")};
    if (rule.fwmark) {
        entry.mark = parse_number<std::uint32_t>(*rule.fwmark, 0).value_or(0);
        entry.mask = rule.fwmask ? parse_number<std::uint32_t>(*rule.fwmask, 0).value_or(0) : UINT32_MAX;
    }
    rest.src.clear();
    rest.srclen.reset();
    rest.dst.reset();
    rest.dstlen.reset();
    rest.iif.reset();
    rest.iif_detached.reset();
    rest.oif.reset();
    rest.oif_detached.reset();
    rest.fwmark.reset();
    rest.fwmask.reset();
    rest.table.reset();
    rest.protocol.reset();
    const Rule plain{.family = rule.family, .priority = rule.priority};
    if (rest != plain || entry.table.empty()) return std::nullopt;
    return entry;
}

std::optional<LinkEntry> link_entry(const Link& link) {
    const std::string kind = link.info_kind.value_or("");
    LinkEntry entry{.name = link.ifname, .kind = kind};
    if (kind == "vlan") {
        if (!link.vlan || !link.vlan->id || !link.link || link.vlan->protocol == "802.1ad")
            return std::nullopt;
        entry.parent = link.link;
        entry.id = link.vlan->id;
    } else if (kind == "ipoib") {
        if (!link.link || !link.ipoib || !link.ipoib->key) return std::nullopt;  // a port of a card
        entry.parent = link.link;
        entry.pkey = link.ipoib->key;
    } else if (kind != "bond" && kind != "bridge") {
        return std::nullopt;
    }
    for (const auto& rule : setting_rules())
        if (rule.kind == kind)
            if (auto value = rule.read(link, 0); value && !is_left_out(link, rule.key, *value))
                entry.settings.emplace(rule.key, *value);
    return entry;
}

Network network_of(const NodeReport& report) {
    Network network{.links = report.links, .sysctls = report.system.sysctls};
    for (const auto& address : report.addresses)
        if (address.scope != "link" && address.scope != "host" && !address.temporary.value_or(false))
            network.addresses.push_back(address_entry(address));
    for (const auto& route : report.routes) {
        if (is_the_kernels_own(route)) continue;
        if (auto entry = route_entry(route))
            network.routes.push_back(std::move(*entry));
        else
            network.untouchable.push_back(untouchable_text(route));
    }
    for (const auto& rule : report.rules) {
        if (rule.protocol == "kernel") continue;
        if (auto entry = rule_entry(rule))
            network.rules.push_back(std::move(*entry));
        else
            network.untouchable.push_back("rule of priority " + std::to_string(rule.priority));
    }
    return network;
}

}  // namespace pve_rdma
