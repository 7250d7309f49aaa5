#include "kernel/read_routes.h"

#include <algorithm>

#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "observe/link_words.h"
#include "observe/netlink_table.h"
#include "observe/route_decode.h"

namespace pve_rdma {

namespace {

bool never_expires(Octets payload) {
    const auto info = payload_as<rta_cacheinfo>(payload);
    return info && info->rta_expires == 0;
}

bool take_number(Octets payload, std::uint32_t& number) {
    const auto value = payload_as<std::uint32_t>(payload);
    number = value.value_or(0);
    return value.has_value();
}

bool take_address(Octets payload, IpAddress& address) {
    const auto value = IpAddress::from(as_bytes(payload));
    if (value) address = *value;
    return value.has_value();
}

}  // namespace

// False: the route says more than a plain one can.
bool RouteReader::take_plain(const NetlinkMessage& message, PlainRoute& route) {
    const auto header = message.start<rtmsg>();
    route.v6 = header.rtm_family == AF_INET6;
    route.length = header.rtm_dst_len;
    route.protocol = header.rtm_protocol;
    route.scope = header.rtm_scope;
    route.type = header.rtm_type;
    route.table = header.rtm_table;
    route.onlink = (header.rtm_flags & RTNH_F_ONLINK) != 0;
    bool plain = header.rtm_tos == 0;
    plain &= for_each_attribute(message.behind(sizeof header), [&](const NetlinkAttribute& attribute) {
        switch (attribute.type) {
            case RTA_DST:
                plain &= take_address(attribute.payload, route.to);
                break;
            case RTA_GATEWAY:
                plain &= take_address(attribute.payload, route.via);
                break;
            case RTA_PREFSRC:
                plain &= take_address(attribute.payload, route.source);
                break;
            case RTA_OIF:
                plain &= take_number(attribute.payload, route.device);
                break;
            case RTA_TABLE:
                plain &= take_number(attribute.payload, route.table);
                break;
            case RTA_PRIORITY:
                plain &= take_number(attribute.payload, route.metric);
                break;
            case RTA_CACHEINFO:
                plain &= never_expires(attribute.payload);
                break;
            case RTA_PREF:
                plain &= payload_number(attribute.payload) == 0U;
                break;
            default:
                plain = false;
        }
    });
    return plain;
}

void RouteReader::take(const NetlinkMessage& message) {
    if (PlainRoute& plain = plain_.emplace_back(); take_plain(message, plain)) {
        if (plain.table == RT_TABLE_LOCAL || (plain.protocol == RTPROT_KERNEL && plain.via.length == 0))
            plain_.pop_back();  // as is_the_kernels_own()
        return;
    }
    plain_.pop_back();
    Route whole;
    if (decode_route(message, whole)) {
        untouchable_.emplace_back("a route that cannot be read");
    } else if (!is_the_kernels_own(whole)) {
        if (auto entry = route_entry(whole))
            others_.push_back(std::move(*entry));
        else
            untouchable_.push_back(untouchable_text(whole));
    }
}

RouteEntry RouteReader::entry_of(const PlainRoute& plain, const LinkNames& names) {
    RouteEntry route{.v6 = plain.v6, .metric = plain.metric, .onlink = plain.onlink};
    if (plain.to.length) route.to.address = plain.to;
    route.to.length = plain.length;
    if (plain.via.length) route.via = plain.via;
    if (plain.source.length) route.source = plain.source;
    if (plain.device) route.dev = names.name(plain.device);
    if (plain.table != RT_TABLE_MAIN) route.table = table_word(plain.table);
    if (plain.type != RTN_UNICAST) route.type = route_type_word(plain.type);
    if (plain.scope != RT_SCOPE_UNIVERSE) route.scope = scope_word(plain.scope);
    if (plain.protocol != own_protocol) route.protocol = route_protocol_word(plain.protocol);
    return route;
}

void RouteReader::finish(const LinkNames& names, Network& network) {
    network.routes.reserve(plain_.size() + others_.size());
    for (const auto& plain : plain_)
        network.routes.push_back(entry_of(plain, names));
    for (auto& other : others_) {
        std::optional<std::string> dev = std::move(other.dev);
        names.resolve(dev);
        other.dev = std::move(*dev);
        network.routes.push_back(std::move(other));
    }
    std::ranges::move(untouchable_, std::back_inserter(network.untouchable));
}

}  // namespace pve_rdma
