#include "desired/from_network.h"

#include <algorithm>
#include <array>

#include "facts/guest_link.h"
#include "network/settings.h"

namespace pve_rdma {

namespace {

// Who puts routes there that nobody chose.
bool chosen(const RouteEntry& route) {
    constexpr std::array<std::string_view, 9> others{"ra",  "dhcp", "redirect", "zebra", "bird",
                                                     "bgp", "ospf", "babel",    "isis"};
    return std::ranges::find(others, route.protocol) == others.end();
}

DesiredLink link_of(const Network& network, const Link& link) {
    DesiredLink desired{.name = link.ifname};
    const std::string kind = link.info_kind.value_or("");
    if (const auto made = link_entry(link)) {
        desired.kind = made->kind;
        desired.parent = made->parent;
        desired.pkey = made->pkey;
        desired.id = made->id;
        if (kind == "bond" || kind == "bridge") {
            auto& ports = desired.ports.emplace();
            for (const auto& port : network.links)
                if (port.master == link.ifname && !is_guest_link(port.ifname)) ports.push_back(port.ifname);
        }
    }
    const bool connected = link.ipoib && link.ipoib->mode == "connected";
    if (connected) desired.settings["mode"] = "connected";
    if (link.mtu && (link.link_type == "infiniband" ? connected : *link.mtu != 1500))
        desired.settings["mtu"] = std::to_string(*link.mtu);
    for (const char* key : {"bond.mode", "bond.miimon", "bridge.vlan_aware"}) {
        const SettingKey setting(key);
        if (setting.rule->kind != kind) continue;
        const auto value = setting.read(link);
        if (value && *value != "0" && *value != "false")
            desired.settings[std::string(setting.rule->name())] = *value;
    }
    for (const auto& address : network.addresses)
        if (address.dev == link.ifname)
            desired.addresses.push_back(
                {.address = {address.local, address.length},
                 .metric = address.metric ? std::optional(address.metric) : std::nullopt});
    return desired;
}

}  // namespace

Desired desired_of(const Network& network) {
    Desired desired;
    for (const auto& link : network.links) {
        if (link.link_type == "loopback" || is_guest_link(link.ifname)) continue;
        DesiredLink one = link_of(network, link);
        if (one.kind || !one.settings.empty() || !one.addresses.empty())
            desired.links.push_back(std::move(one));
    }
    for (const auto& route : network.routes) {
        if (!chosen(route)) continue;
        DesiredRoute one{.to = route.to.is_default() && route.v6 ? "::/0" : route.to.text(),
                         .via = route.via};
        if (!route.dev.empty()) one.dev = route.dev;
        if (route.source) one.src = route.source;
        if (route.metric != (route.v6 ? 1024 : 0)) one.metric = route.metric;
        if (route.table != "main") one.table = route.table;
        if (route.type != "unicast") one.type = route.type;
        if (route.mtu) one.mtu = route.mtu;
        if (route.onlink) one.onlink = true;
        desired.routes.push_back(std::move(one));
    }
    for (const auto& rule : network.rules) {
        DesiredRule one{.priority = rule.priority};
        if (rule.v6) one.family = "inet6";
        if (rule.from) one.from = rule.from->text();
        if (rule.to) one.to = rule.to->text();
        if (!rule.iif.empty()) one.iif = rule.iif;
        if (!rule.oif.empty()) one.oif = rule.oif;
        if (rule.mask)
            one.fwmark = rule.mask == UINT32_MAX ? fmt::format("{:#x}", rule.mark)
                                                 : fmt::format("{:#x}/{:#x}", rule.mark, rule.mask);
        one.table = rule.table;
        desired.rules.push_back(std::move(one));
    }
    return desired;
}

}  // namespace pve_rdma
