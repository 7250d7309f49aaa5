#include "kernel/read_routes.h"

#include <algorithm>

#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "base/number.h"
#include "observe/link_words.h"
#include "observe/netlink_table.h"
#include "observe/route_decode.h"

namespace pve_rdma {

namespace {

struct Attributes {
    Octets destination{}, gateway{}, source{};
    std::uint32_t device = 0, table = 0;
    bool plain = true;  // there are no others that say something
};

bool never_expires(Octets payload) {
    const auto info = payload_as<rta_cacheinfo>(payload);
    return info && info->rta_expires == 0;
}

// The attributes that nearly all routes have; a route with others takes the long way.
Attributes attributes_of(const NetlinkMessage& message, const rtmsg& header, RouteEntry& route) {
    Attributes found{.table = header.rtm_table};
    const auto number = [](Octets payload) { return payload_as<std::uint32_t>(payload).value_or(0); };
    found.plain &= for_each_attribute(message.behind(sizeof header), [&](const NetlinkAttribute& attribute) {
        switch (attribute.type) {
            case RTA_DST:
                found.destination = attribute.payload;
                break;
            case RTA_GATEWAY:
                found.gateway = attribute.payload;
                break;
            case RTA_PREFSRC:
                found.source = attribute.payload;
                break;
            case RTA_OIF:
                found.device = number(attribute.payload);
                break;
            case RTA_TABLE:
                found.table = number(attribute.payload);
                break;
            case RTA_PRIORITY:
                route.metric = number(attribute.payload);
                break;
            case RTA_CACHEINFO:
                found.plain &= never_expires(attribute.payload);
                break;
            case RTA_PREF:
                found.plain &= payload_number(attribute.payload) == 0U;
                break;
            default:
                found.plain = false;
        }
    });
    return found;
}

IpAddress address_of(Octets payload) {
    return IpAddress::from(as_bytes(payload)).value_or(IpAddress{});
}

}  // namespace

void RouteReader::take(const NetlinkMessage& message) {
    const auto header = message.start<rtmsg>();
    const bool from_kernel = header.rtm_protocol == RTPROT_KERNEL;
    RouteEntry route;
    const Attributes found = attributes_of(message, header, route);
    if (!found.plain || header.rtm_tos) {
        Route whole;
        if (decode_route(message, whole))
            return untouchable_.emplace_back("a route that cannot be read"), void();
        if (is_the_kernels_own(whole)) return;
        auto entry = route_entry(whole);
        if (!entry) return untouchable_.push_back(untouchable_text(whole));
        devices_.push_back(parse_number<std::uint32_t>(entry->dev).value_or(0));
        routes_.push_back(std::move(*entry));
        return;
    }
    if (found.table == RT_TABLE_LOCAL || (from_kernel && found.gateway.empty())) return;
    route.v6 = header.rtm_family == AF_INET6;
    if (!found.destination.empty()) route.to.address = address_of(found.destination);
    route.to.length = header.rtm_dst_len;
    if (!found.gateway.empty()) route.via = address_of(found.gateway);
    if (!found.source.empty()) route.source = address_of(found.source);
    if (found.table != RT_TABLE_MAIN) route.table = table_word(found.table);
    if (header.rtm_type != RTN_UNICAST) route.type = route_type_word(header.rtm_type);
    if (header.rtm_scope != RT_SCOPE_UNIVERSE) route.scope = scope_word(header.rtm_scope);
    if (header.rtm_protocol != own_protocol) route.protocol = route_protocol_word(header.rtm_protocol);
    route.onlink = (header.rtm_flags & RTNH_F_ONLINK) != 0;
    devices_.push_back(found.device);
    routes_.push_back(std::move(route));
}

void RouteReader::finish(const LinkNames& names, Network& network) {
    for (std::size_t i = 0; i < routes_.size(); ++i)
        routes_[i].dev = devices_[i] ? names.name(devices_[i]) : std::string();
    network.routes = std::move(routes_);
    std::ranges::move(untouchable_, std::back_inserter(network.untouchable));
}

}  // namespace pve_rdma
