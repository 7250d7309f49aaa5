#include "ifup/kernel.h"

#include <cerrno>

#include <linux/fib_rules.h>
#include <linux/if.h>
#include <linux/if_addr.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "observe/netlink_dump.h"
#include "observe/netlink_table.h"

namespace pve_rdma::ifup {

namespace {

constexpr std::uint16_t ifa_protocol = 11;  // IFA_PROTO, since Linux 5.18

std::uint32_t number_of(Octets attributes, std::uint16_t type) {
    const auto payload = find_attribute(attributes, type);
    return payload ? static_cast<std::uint32_t>(payload_number(*payload).value_or(0)) : 0;
}

std::string text_of(Octets attributes, std::uint16_t type) {
    const auto payload = find_attribute(attributes, type);
    return payload ? std::string(payload_text(*payload)) : std::string();
}

std::optional<IpAddress> address_of(Octets attributes, std::uint16_t type) {
    const auto payload = find_attribute(attributes, type);
    if (!payload) return std::nullopt;
    const auto address = IpAddress::from(as_bytes(*payload));
    return address ? std::optional(*address) : std::nullopt;
}

// A prefix of length 0 has no attribute.
IpPrefix prefix_of(Octets attributes, std::uint16_t type, std::uint8_t length, bool v6) {
    IpPrefix prefix{.address = {.length = static_cast<std::uint8_t>(v6 ? 16 : 4)}, .length = length};
    if (const auto address = address_of(attributes, type)) prefix.address = *address;
    return prefix;
}

LinkState decode_link(const NetlinkMessage& message) {
    const auto header = message.start<ifinfomsg>();
    const Octets attributes = message.behind(sizeof header);
    LinkState link{.index = static_cast<std::uint32_t>(header.ifi_index),
                   .name = text_of(attributes, IFLA_IFNAME),
                   .infiniband = header.ifi_type == ARPHRD_INFINIBAND,
                   .up = (header.ifi_flags & IFF_UP) != 0,
                   .mtu = number_of(attributes, IFLA_MTU),
                   .parent = number_of(attributes, IFLA_LINK)};
    const auto info = find_attribute(attributes, IFLA_LINKINFO);
    if (!info) return link;
    link.kind = text_of(*info, IFLA_INFO_KIND);
    const auto data = find_attribute(*info, IFLA_INFO_DATA);
    if (!data || link.kind != "ipoib") return link;
    if (const auto pkey = find_attribute(*data, IFLA_IPOIB_PKEY))
        link.pkey = payload_as<std::uint16_t>(*pkey);
    if (find_attribute(*data, IFLA_IPOIB_MODE))
        link.mode = static_cast<IpoibMode>(number_of(*data, IFLA_IPOIB_MODE));
    return link;
}

std::optional<AddressState> decode_address(const NetlinkMessage& message) {
    const auto header = message.start<ifaddrmsg>();
    const Octets attributes = message.behind(sizeof header);
    auto local = address_of(attributes, IFA_LOCAL);
    if (!local) local = address_of(attributes, IFA_ADDRESS);
    if (!local) return std::nullopt;
    const std::uint32_t flags =
        find_attribute(attributes, IFA_FLAGS) ? number_of(attributes, IFA_FLAGS) : header.ifa_flags;
    return AddressState{.address = {*local, header.ifa_prefixlen},
                        .metric = number_of(attributes, IFA_RT_PRIORITY),
                        .protocol = static_cast<std::uint8_t>(number_of(attributes, ifa_protocol)),
                        .connected_route = header.ifa_scope == RT_SCOPE_UNIVERSE &&
                                           !(flags & IFA_F_NOPREFIXROUTE) &&
                                           header.ifa_prefixlen < local->length * 8,
                        .message = {message.body.begin(), message.body.end()}};
}

std::optional<RouteEntry> decode_route(const NetlinkMessage& message, std::uint32_t index) {
    const auto header = message.start<rtmsg>();
    const Octets attributes = message.behind(sizeof header);
    if (header.rtm_protocol != own_protocol || header.rtm_type != RTN_UNICAST ||
        (header.rtm_flags & RTM_F_CLONED) || number_of(attributes, RTA_OIF) != index)
        return std::nullopt;
    RouteEntry route{.v6 = header.rtm_family == AF_INET6};
    route.to = prefix_of(attributes, RTA_DST, header.rtm_dst_len, route.v6);
    route.via = address_of(attributes, RTA_GATEWAY);
    route.source = address_of(attributes, RTA_PREFSRC);
    route.metric = number_of(attributes, RTA_PRIORITY);
    route.table = number_of(attributes, RTA_TABLE);
    if (!route.table) route.table = header.rtm_table;
    if (const auto metrics = find_attribute(attributes, RTA_METRICS))
        route.mtu = number_of(*metrics, RTAX_MTU);
    route.onlink = (header.rtm_flags & RTNH_F_ONLINK) != 0;
    return route;
}

std::optional<RuleEntry> decode_rule(const NetlinkMessage& message) {
    const auto header = message.start<fib_rule_hdr>();
    const Octets attributes = message.behind(sizeof header);
    if (number_of(attributes, FRA_PROTOCOL) != own_protocol) return std::nullopt;
    RuleEntry rule{.v6 = header.family == AF_INET6};
    if (header.src_len) rule.from = prefix_of(attributes, FRA_SRC, header.src_len, rule.v6);
    if (header.dst_len) rule.to = prefix_of(attributes, FRA_DST, header.dst_len, rule.v6);
    rule.iif = text_of(attributes, FRA_IFNAME);
    rule.oif = text_of(attributes, FRA_OIFNAME);
    rule.mark = number_of(attributes, FRA_FWMARK);
    rule.mask = number_of(attributes, FRA_FWMASK);
    rule.priority = number_of(attributes, FRA_PRIORITY);
    rule.table = number_of(attributes, FRA_TABLE);
    if (!rule.table) rule.table = header.table;
    return rule;
}

// The filters in the headers are the kernel's to heed (strict checking); each answer is looked at again.
NetlinkRequest address_dump(std::uint8_t family, std::uint32_t index) {
    ifaddrmsg header{};
    header.ifa_family = family;
    header.ifa_index = index;
    return NetlinkRequest(RTM_GETADDR, NLM_F_DUMP).header(header);
}

NetlinkRequest route_dump(std::uint8_t family, std::uint32_t index) {
    rtmsg header{};
    header.rtm_family = family;
    header.rtm_protocol = own_protocol;
    return NetlinkRequest(RTM_GETROUTE, NLM_F_DUMP).header(header).number(RTA_OIF, index);
}

NetlinkRequest rule_dump(std::uint8_t family) {
    fib_rule_hdr header{};
    header.family = family;
    return NetlinkRequest(RTM_GETRULE, NLM_F_DUMP).header(header);
}

template <class T, class Decode>
NetlinkDump dump(std::string what, NetlinkRequest request, std::vector<T>& into, Decode decode) {
    return {.what = std::move(what),
            .request = std::move(request),
            .start_over = [&into, before = into.size()] { into.resize(before); },
            .message =
                [&into, decode](const NetlinkMessage& message) {
                    if (auto one = decode(message)) into.push_back(std::move(*one));
                }};
}

// A node without IPv6 has none of it.
bool no_such_family(const Error& error) {
    return error.errno_value == EAFNOSUPPORT || error.errno_value == EOPNOTSUPP;
}

}  // namespace

Result<std::optional<LinkState>> read_link(NetlinkTransport& transport, const std::string& name) {
    std::optional<LinkState> link;
    auto request = NetlinkRequest(RTM_GETLINK, 0)
                       .header(ifinfomsg{})
                       .text(IFLA_IFNAME, name)
                       .number(IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
    const auto asked = ask(transport, name, std::move(request),
                           [&](const NetlinkMessage& message) { link = decode_link(message); });
    if (!asked && asked.error().errno_value != ENODEV) return std::unexpected(asked.error());
    return link;
}

Result<InterfaceState> read_interface(NetlinkTransport& transport, std::uint32_t index) {
    InterfaceState state;
    for (const auto family : {std::uint8_t{AF_INET}, std::uint8_t{AF_INET6}}) {
        std::vector<NetlinkDump> dumps;
        if (index) {
            dumps.push_back(dump("its addresses", address_dump(family, index), state.addresses,
                                 [index](const NetlinkMessage& message) -> std::optional<AddressState> {
                                     if (message.start<ifaddrmsg>().ifa_index != index) return std::nullopt;
                                     return decode_address(message);
                                 }));
            dumps.push_back(
                dump("its routes", route_dump(family, index), state.routes,
                     [index](const NetlinkMessage& message) { return decode_route(message, index); }));
        }
        dumps.push_back(dump("the rules", rule_dump(family), state.rules, decode_rule));
        for (const auto& failure : run_dumps(transport, dumps))
            if (!failure.incomplete && !(family == AF_INET6 && no_such_family(failure.error)))
                return std::unexpected(failure.error);
    }
    return state;
}

}  // namespace pve_rdma::ifup
