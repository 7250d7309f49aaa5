#include <linux/fib_rules.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <fmt/format.h>

#include "base/number.h"
#include "facts/setting_words.h"
#include "kernel/requests.h"
#include "observe/link_words.h"

namespace pve_rdma {

namespace {

std::uint8_t family_of(bool v6) {
    return v6 ? AF_INET6 : AF_INET;
}

Octets octets_of(const IpAddress& address) {
    return std::as_bytes(address.bytes());
}

// Numbers of words; the first word that has none is remembered.
class Numbers {
  public:
    template <class T>
    T operator()(const std::optional<T>& number, const std::string& word) {
        if (!number && !unknown_) unknown_ = word;
        return number.value_or(0);
    }
    template <class Entry>
    std::optional<Error> error(const Entry& entry) const {
        if (!unknown_) return std::nullopt;
        return Error{.code = ErrorCode::bad_request,
                     .subject = entry.text(),
                     .message = fmt::format("\"{}\" is no word of the kernel's", *unknown_)};
    }

  private:
    std::optional<std::string> unknown_;
};

std::uint16_t flags_of(ObjectChange change) {
    switch (change) {
        case ObjectChange::add:
            return NLM_F_CREATE | NLM_F_EXCL;
        case ObjectChange::replace:
            return NLM_F_CREATE | NLM_F_REPLACE;
        case ObjectChange::remove:
            return 0;
    }
    return 0;
}

}  // namespace

Result<NetlinkRequest> route_request(ObjectChange change, std::uint32_t index, const RouteEntry& route) {
    Numbers number;
    const std::uint32_t table = number(table_number(route.table), route.table);
    rtmsg header{};
    header.rtm_family = family_of(route.v6);
    header.rtm_dst_len = route.to.length;
    header.rtm_table = static_cast<unsigned char>(table < 256 ? table : 0);
    header.rtm_protocol = number(route_protocol_number(route.protocol), route.protocol);
    header.rtm_scope = number(scope_number(route.scope), route.scope);
    header.rtm_type = number(route_type_number(route.type), route.type);
    if (route.tos) header.rtm_tos = number(parse_number<std::uint8_t>(*route.tos, 0), *route.tos);
    if (route.onlink) header.rtm_flags = RTNH_F_ONLINK;
    NetlinkRequest request(change == ObjectChange::remove ? RTM_DELROUTE : RTM_NEWROUTE, flags_of(change));
    request.header(header);
    if (route.to.length) request.octets(RTA_DST, octets_of(route.to.address));
    if (route.via) request.octets(RTA_GATEWAY, octets_of(*route.via));
    if (route.source) request.octets(RTA_PREFSRC, octets_of(*route.source));
    // A route that throws packets away has no device, though IPv6 shows one.
    if (route.type == "unicast") request.number(RTA_OIF, index);
    request.number(RTA_PRIORITY, route.metric).number(RTA_TABLE, table);
    if (change != ObjectChange::remove) {
        if (route.pref)
            request.octet(RTA_PREF, static_cast<std::uint8_t>(number(
                                        number_of_word(router_preference_words, *route.pref), *route.pref)));
        if (route.mtu || route.advmss)
            request.nested(RTA_METRICS, [&](NetlinkRequest& metrics) {
                if (route.mtu) metrics.number(RTAX_MTU, route.mtu);
                if (route.advmss) metrics.number(RTAX_ADVMSS, route.advmss);
            });
    }
    if (const auto error = number.error(route)) return std::unexpected(*error);
    return request;
}

Result<NetlinkRequest> rule_request(ObjectChange change, const RuleEntry& rule) {
    Numbers number;
    const std::uint32_t table = number(table_number(rule.table), rule.table);
    fib_rule_hdr header{};
    header.family = family_of(rule.v6);
    header.action = FR_ACT_TO_TBL;
    header.table = static_cast<std::uint8_t>(table < 256 ? table : 0);
    if (rule.from) header.src_len = rule.from->length;
    if (rule.to) header.dst_len = rule.to->length;
    NetlinkRequest request(change == ObjectChange::remove ? RTM_DELRULE : RTM_NEWRULE, flags_of(change));
    request.header(header);
    if (rule.from && rule.from->length) request.octets(FRA_SRC, octets_of(rule.from->address));
    if (rule.to && rule.to->length) request.octets(FRA_DST, octets_of(rule.to->address));
    if (!rule.iif.empty()) request.text(FRA_IFNAME, rule.iif);
    if (!rule.oif.empty()) request.text(FRA_OIFNAME, rule.oif);
    if (rule.mask) request.number(FRA_FWMARK, rule.mark).number(FRA_FWMASK, rule.mask);
    request.number(FRA_PRIORITY, rule.priority)
        .number(FRA_TABLE, table)
        .octet(FRA_PROTOCOL, number(route_protocol_number(rule.protocol), rule.protocol));
    if (const auto error = number.error(rule)) return std::unexpected(*error);
    return request;
}

}  // namespace pve_rdma
