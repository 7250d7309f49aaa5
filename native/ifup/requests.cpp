#include "ifup/requests.h"

#include <linux/if_addr.h>
#include <linux/rtnetlink.h>

#include "facts/setting_words.h"
#include "kernel/requests.h"

namespace pve_rdma::ifup {

namespace {

constexpr std::uint16_t ifa_protocol = 11;  // IFA_PROTO, since Linux 5.18

std::string word_of(IpoibMode mode) {
    return std::string(ipoib_mode_words[static_cast<std::size_t>(mode)]);
}

}  // namespace

NetlinkRequest create_child(const std::string& name, std::uint32_t parent, PKey pkey,
                            std::optional<IpoibMode> mode) {
    LinkEntry child{.name = name, .kind = "ipoib", .parent = "its parent", .pkey = pkey.text()};
    if (mode) child.settings.emplace("ipoib.mode", word_of(*mode));
    return make_link_request(child, [&](const std::string&) { return parent; }).acknowledged();
}

NetlinkRequest delete_link(std::uint32_t index) {
    return delete_link_request(index).acknowledged();
}

NetlinkRequest set_mode(std::uint32_t index, IpoibMode mode) {
    return setting_request(Link{.ifindex = index}, SettingKey("ipoib.mode"), word_of(mode), {})
        .acknowledged();
}

NetlinkRequest set_mtu(std::uint32_t index, std::uint32_t mtu) {
    return mtu_request(index, mtu).acknowledged();
}

NetlinkRequest set_up(std::uint32_t index) {
    return up_request(index, true).acknowledged();
}

// Also where ifupdown2 has just added it.
NetlinkRequest add_address(std::uint32_t index, const AddressEntry& entry) {
    return address_request(ObjectChange::replace, index, {.local = entry.address, .length = entry.length})
        .acknowledged();
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

NetlinkRequest route_request(ObjectChange change, std::uint32_t index, const RouteEntry& route) {
    return pve_rdma::route_request(change, index,
                                   {.v6 = route.v6,
                                    .to = route.to,
                                    .via = route.via,
                                    .source = route.source,
                                    .metric = route.metric,
                                    .table = std::to_string(route.table),
                                    .scope = !route.v6 && !route.via ? "link" : "global",
                                    .mtu = route.mtu,
                                    .onlink = route.onlink})
        .value()
        .acknowledged();
}

NetlinkRequest rule_request(ObjectChange change, const RuleEntry& rule) {
    return pve_rdma::rule_request(change, {.v6 = rule.v6,
                                           .priority = rule.priority,
                                           .from = rule.from,
                                           .to = rule.to,
                                           .iif = rule.iif,
                                           .oif = rule.oif,
                                           .mark = rule.mark,
                                           .mask = rule.mask,
                                           .table = std::to_string(rule.table)})
        .value()
        .acknowledged();
}

}  // namespace pve_rdma::ifup
