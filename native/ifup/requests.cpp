#include "ifup/requests.h"

#include <linux/fib_rules.h>
#include <linux/if.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

namespace pve_rdma::ifup {

namespace {

constexpr std::uint16_t ifa_protocol = 11;  // IFA_PROTO, since Linux 5.18

std::uint8_t family_of(bool v6) {
    return v6 ? AF_INET6 : AF_INET;
}

Octets octets_of(const IpAddress& address) {
    return std::as_bytes(address.bytes());
}

NetlinkRequest link_request(std::uint16_t type, std::uint16_t flags, std::uint32_t index) {
    ifinfomsg header{};
    header.ifi_index = static_cast<int>(index);
    return NetlinkRequest(type, static_cast<std::uint16_t>(NLM_F_ACK | flags)).header(header);
}

void add_ipoib(NetlinkRequest& request, std::optional<PKey> pkey, std::optional<IpoibMode> mode) {
    request.nested(IFLA_LINKINFO, [&](NetlinkRequest& info) {
        info.text(IFLA_INFO_KIND, "ipoib");
        info.nested(IFLA_INFO_DATA, [&](NetlinkRequest& data) {
            if (pkey) data.bytes_of(IFLA_IPOIB_PKEY, pkey->value);
            if (mode) data.bytes_of(IFLA_IPOIB_MODE, static_cast<std::uint16_t>(*mode));
        });
    });
}

}  // namespace

NetlinkRequest create_child(const std::string& name, std::uint32_t parent, PKey pkey,
                            std::optional<IpoibMode> mode) {
    auto request = link_request(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, 0);
    request.text(IFLA_IFNAME, name).number(IFLA_LINK, parent);
    add_ipoib(request, pkey, mode);
    return request;
}

NetlinkRequest delete_link(std::uint32_t index) {
    return link_request(RTM_DELLINK, 0, index);
}

NetlinkRequest set_mode(std::uint32_t index, IpoibMode mode) {
    auto request = link_request(RTM_NEWLINK, 0, index);
    add_ipoib(request, std::nullopt, mode);
    return request;
}

NetlinkRequest set_mtu(std::uint32_t index, std::uint32_t mtu) {
    return link_request(RTM_NEWLINK, 0, index).number(IFLA_MTU, mtu);
}

NetlinkRequest set_up(std::uint32_t index) {
    ifinfomsg header{};
    header.ifi_index = static_cast<int>(index);
    header.ifi_flags = header.ifi_change = IFF_UP;
    return NetlinkRequest(RTM_NEWLINK, NLM_F_ACK).header(header);
}

NetlinkRequest add_address(std::uint32_t index, const AddressEntry& entry) {
    ifaddrmsg header{};
    header.ifa_family = family_of(entry.address.is_v6());
    header.ifa_prefixlen = entry.length;
    header.ifa_index = index;
    return NetlinkRequest(RTM_NEWADDR, NLM_F_ACK | NLM_F_CREATE | NLM_F_REPLACE)
        .header(header)
        .octets(IFA_LOCAL, octets_of(entry.address))
        .octets(IFA_ADDRESS, octets_of(entry.address));
}

NetlinkRequest resend_address(const AddressState& state, std::uint32_t metric, std::uint8_t protocol) {
    const NetlinkMessage message{.header = {}, .body = state.message};
    const auto header = message.start<ifaddrmsg>();
    NetlinkRequest request(RTM_NEWADDR, NLM_F_ACK | NLM_F_REPLACE);
    request.header(header);
    for_each_attribute(message.behind(sizeof header), [&](const NetlinkAttribute& attribute) {
        if (attribute.type != IFA_RT_PRIORITY && attribute.type != ifa_protocol)
            request.octets(attribute.type, attribute.payload);
    });
    return request.number(IFA_RT_PRIORITY, metric).octet(ifa_protocol, protocol);
}

NetlinkRequest route_request(RouteChange change, std::uint32_t index, const RouteEntry& route) {
    rtmsg header{};
    header.rtm_family = family_of(route.v6);
    header.rtm_dst_len = route.to.length;
    header.rtm_table = static_cast<unsigned char>(route.table < 256 ? route.table : 0);
    header.rtm_protocol = own_protocol;
    header.rtm_scope = !route.v6 && !route.via ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE;
    header.rtm_type = RTN_UNICAST;
    if (route.onlink) header.rtm_flags = RTNH_F_ONLINK;
    const std::uint16_t flags = change == RouteChange::add       ? NLM_F_CREATE | NLM_F_EXCL
                                : change == RouteChange::replace ? NLM_F_CREATE | NLM_F_REPLACE
                                                                 : 0;
    NetlinkRequest request(change == RouteChange::remove ? RTM_DELROUTE : RTM_NEWROUTE,
                           static_cast<std::uint16_t>(NLM_F_ACK | flags));
    request.header(header);
    if (route.to.length) request.octets(RTA_DST, octets_of(route.to.address));
    if (route.via) request.octets(RTA_GATEWAY, octets_of(*route.via));
    if (route.source) request.octets(RTA_PREFSRC, octets_of(*route.source));
    request.number(RTA_OIF, index).number(RTA_PRIORITY, route.metric).number(RTA_TABLE, route.table);
    // A removal names no MTU: the key above is whole, and the kernel would compare it too.
    if (route.mtu && change != RouteChange::remove)
        request.nested(RTA_METRICS, [&](NetlinkRequest& metrics) { metrics.number(RTAX_MTU, route.mtu); });
    return request;
}

NetlinkRequest rule_request(bool add, const RuleEntry& rule) {
    fib_rule_hdr header{};
    header.family = family_of(rule.v6);
    header.action = FR_ACT_TO_TBL;
    header.table = static_cast<std::uint8_t>(rule.table < 256 ? rule.table : 0);
    if (rule.from) header.src_len = rule.from->length;
    if (rule.to) header.dst_len = rule.to->length;
    NetlinkRequest request(add ? RTM_NEWRULE : RTM_DELRULE,
                           static_cast<std::uint16_t>(NLM_F_ACK | (add ? NLM_F_CREATE | NLM_F_EXCL : 0)));
    request.header(header);
    if (rule.from) request.octets(FRA_SRC, octets_of(rule.from->address));
    if (rule.to) request.octets(FRA_DST, octets_of(rule.to->address));
    if (!rule.iif.empty()) request.text(FRA_IFNAME, rule.iif);
    if (!rule.oif.empty()) request.text(FRA_OIFNAME, rule.oif);
    if (rule.mask) request.number(FRA_FWMARK, rule.mark).number(FRA_FWMASK, rule.mask);
    return request.number(FRA_PRIORITY, rule.priority)
        .number(FRA_TABLE, rule.table)
        .octet(FRA_PROTOCOL, own_protocol);
}

}  // namespace pve_rdma::ifup
