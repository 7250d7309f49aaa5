#include "network/entries.h"

#include <fmt/format.h>

namespace pve_rdma {

namespace {

void put(std::string& key, const IpAddress& address) {
    key.append(reinterpret_cast<const char*>(address.octets.data()), address.length);
}
void put(std::string& key, std::uint32_t number) {
    key.append(reinterpret_cast<const char*>(&number), sizeof number);
}
// With its end, so that two texts behind each other cannot be mistaken for two others.
void put(std::string& key, std::string_view text) {
    key.append(text);
    key += '\0';
}
void put(std::string& key, const std::optional<IpPrefix>& prefix) {
    key += static_cast<char>(prefix ? prefix->length + 1 : 0);
    if (prefix && prefix->length) put(key, prefix->address);
}

}  // namespace

std::string destination_key(const RouteEntry& route) {
    std::string key;
    key += route.v6 ? '6' : '4';
    put(key, std::optional(route.to));
    put(key, route.table);
    put(key, route.tos.value_or(""));
    return key;
}

std::string place_key(const RouteEntry& route) {
    std::string key = destination_key(route);
    put(key, route.metric);
    return key;
}

std::string place_key(const RuleEntry& rule) {
    std::string key;
    key += rule.v6 ? '6' : '4';
    put(key, rule.priority);
    put(key, rule.from);
    put(key, rule.to);
    put(key, rule.mark);
    put(key, rule.mask);
    for (const auto& text : {rule.iif, rule.oif, rule.table})
        put(key, text);
    return key;
}

std::string place_key(const AddressEntry& address) {
    std::string key;
    put(key, address.local);
    if (!address.local.is_v6()) key += static_cast<char>(address.length);
    put(key, address.dev);
    return key;
}

std::string AddressEntry::text() const {
    return fmt::format("{}/{} dev {}", local.text(), length, dev);
}

std::string RouteEntry::text() const {
    std::string text = type == "unicast" ? "" : type + " ";
    text += to.is_default() && v6 ? "::/0" : to.text();
    if (via) text += " via " + via->text();
    if (!dev.empty()) text += " dev " + dev;
    if (source) text += " src " + source->text();
    if (metric) text += fmt::format(" metric {}", metric);
    if (table != "main") text += " table " + table;
    if (tos) text += " tos " + *tos;
    if (mtu) text += fmt::format(" mtu {}", mtu);
    if (onlink) text += " onlink";
    return text;
}

std::string RuleEntry::text() const {
    std::string text = v6 ? "inet6 " : "";
    if (from) text += "from " + from->text() + " ";
    if (to) text += "to " + to->text() + " ";
    if (!iif.empty()) text += "iif " + iif + " ";
    if (!oif.empty()) text += "oif " + oif + " ";
    if (mask) text += fmt::format("fwmark {:#x}/{:#x} ", mark, mask);
    return text + fmt::format("priority {} table {}", priority, table);
}

// IPv6's own metric of a connected route is a default like IPv4's 0 (IP6_RT_PRIO_ADDRCONF); once it was
// another one, the kernel can only be asked for it by number.
AddressEntry kept(AddressEntry address) {
    if (address.local.is_v6() && address.metric == 256) address.metric = 0;
    if (address.peer == address.local) address.peer.reset();
    if (address.label == address.dev) address.label.reset();
    return address;
}

// IPv6 has a metric always, no scopes, and keeps its blackholes on the loopback device
// (ip6_route_info_create() of net/ipv6/route.c).
RouteEntry kept(RouteEntry route) {
    if (!route.v6) return route;
    if (route.metric == 0) route.metric = 1024;
    route.scope = "global";
    if (route.dev.empty()) route.dev = "lo";
    return route;
}

}  // namespace pve_rdma
