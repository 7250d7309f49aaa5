#include "observe/route_decode.h"

#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <unistd.h>

#include "facts/setting_words.h"
#include "observe/link_words.h"
#include "observe/netlink_table.h"

namespace pve_rdma {

namespace {

template <auto member, unsigned divisor>
bool divided(Octets payload, RouteMetrics& metrics) {
    const auto value = payload_as<std::uint32_t>(payload);
    if (value) metrics.*member = *value / divisor;
    return value.has_value();
}

bool features(Octets payload, RouteMetrics& metrics) {
    const auto value = payload_as<std::uint32_t>(payload);
    if (!value) return false;
    if (*value & RTAX_FEATURE_ECN) metrics.ecn = true;
    if (*value & ~std::uint32_t{RTAX_FEATURE_ECN}) metrics.features = hex_text(*value);
    return true;
}

bool hop_limit(Octets payload, RouteMetrics& metrics) {
    const auto value = payload_as<std::uint32_t>(payload);
    if (value && *value != 0xffffffffU) metrics.hoplimit = *value;  // all ones: the default
    return value.has_value();
}

bool locks(Octets payload, RouteMetrics& metrics) {
    constexpr Words<18> names{
        "",         "",        "mtu",      "window",     "rtt",        "rttvar",
        "ssthresh", "cwnd",    "advmss",   "reordering", "hoplimit",   "initcwnd",
        "features", "rto_min", "initrwnd", "quickack",   "congestion", "fastopen_no_cookie"};
    const auto mask = payload_as<std::uint32_t>(payload);
    if (!mask) return false;
    for (std::size_t bit = 0; bit < names.size(); ++bit)
        if ((*mask & (1U << bit)) && !names[bit].empty()) metrics.locked.emplace_back(names[bit]);
    return true;
}

constexpr AttributeTable<RouteMetrics, RTAX_MAX + 1> metrics_table{
    {RTAX_LOCK, locks},
    {RTAX_MTU, number<&RouteMetrics::mtu>},
    {RTAX_WINDOW, number<&RouteMetrics::window>},
    {RTAX_RTT, divided<&RouteMetrics::rtt, 8>},
    {RTAX_RTTVAR, divided<&RouteMetrics::rttvar, 4>},
    {RTAX_SSTHRESH, number<&RouteMetrics::ssthresh>},
    {RTAX_CWND, number<&RouteMetrics::cwnd>},
    {RTAX_ADVMSS, number<&RouteMetrics::advmss>},
    {RTAX_REORDERING, number<&RouteMetrics::reordering>},
    {RTAX_HOPLIMIT, hop_limit},
    {RTAX_INITCWND, number<&RouteMetrics::initcwnd>},
    {RTAX_FEATURES, features},
    {RTAX_RTO_MIN, number<&RouteMetrics::rto_min>},
    {RTAX_INITRWND, number<&RouteMetrics::initrwnd>},
    {RTAX_QUICKACK, number<&RouteMetrics::quickack>},
    {RTAX_CC_ALGO, text<&RouteMetrics::congestion>},
    {RTAX_FASTOPEN_NO_COOKIE, number<&RouteMetrics::fastopen_no_cookie>},
};

bool metrics(Octets payload, Route& route) {
    return !metrics_table.decode(payload, route.metrics.emplace());
}

// What a route and each of its nexthops may have alike.
template <class T>
bool via(Octets payload, T& out) {
    const auto family = payload_as<std::uint16_t>(payload);
    if (!family) return false;
    const auto address = IpAddress::from(as_bytes(payload.subspan(sizeof(std::uint16_t))));
    if (address) out.via = RouteVia{family_word(*family == AF_INET6), *address};
    return address.has_value();
}

template <class T>
bool flow(Octets payload, T& out) {
    const auto realms = payload_as<std::uint32_t>(payload);
    if (!realms) return false;
    auto& value = out.flow.emplace();
    if (*realms >> 16) value.from = std::to_string(*realms >> 16);
    value.to = std::to_string(*realms & 0xffff);
    return true;
}

template <class T>
bool encap(Octets payload, T& out) {
    const auto type = payload_as<std::uint16_t>(payload);
    if (type) out.encap = encap_word(*type);
    return type.has_value();
}

constexpr AttributeTable<NextHop, RTA_MAX + 1> nexthop_table{
    {RTA_GATEWAY, ip<&NextHop::gateway>},
    {RTA_VIA, via<NextHop>},
    {RTA_FLOW, flow<NextHop>},
    {RTA_ENCAP_TYPE, encap<NextHop>},
};

struct FlagWord {
    std::uint32_t bit;
    std::string_view word;
};
// In the order in which `ip route` writes them.
constexpr FlagWord route_flags[]{{RTNH_F_DEAD, "dead"},
                                 {RTNH_F_ONLINK, "onlink"},
                                 {RTNH_F_PERVASIVE, "pervasive"},
                                 {RTNH_F_OFFLOAD, "offload"},
                                 {RTNH_F_TRAP, "trap"},
                                 {RTM_F_NOTIFY, "notify"},
                                 {RTNH_F_LINKDOWN, "linkdown"},
                                 {RTNH_F_UNRESOLVED, "unresolved"},
                                 {RTM_F_OFFLOAD, "rt_offload"},
                                 {RTM_F_TRAP, "rt_trap"},
                                 {RTM_F_OFFLOAD_FAILED, "rt_offload_failed"}};

std::vector<std::string> flag_words(std::uint32_t flags) {
    std::vector<std::string> words;
    for (const auto& [bit, word] : route_flags)
        if (flags & bit) words.emplace_back(word);
    return words;
}

bool multipath(Octets payload, Route& route) {
    while (payload.size() >= sizeof(rtnexthop)) {
        const auto header = *payload_as<rtnexthop>(payload);
        if (header.rtnh_len < sizeof header || header.rtnh_len > payload.size()) return false;
        auto& hop = route.nexthops.emplace_back();
        hop.dev = std::to_string(header.rtnh_ifindex);
        hop.weight = header.rtnh_hops + 1U;
        hop.flags = flag_words(header.rtnh_flags);
        if (nexthop_table.decode(payload.subspan(sizeof header, header.rtnh_len - sizeof header), hop))
            return false;
        payload =
            payload.subspan(std::min(payload.size(), (std::size_t{header.rtnh_len} + 3) & ~std::size_t{3}));
    }
    return true;
}

bool cache_info(Octets payload, Route& route) {
    const auto info = payload_as<rta_cacheinfo>(payload);
    if (!info) return false;
    static const auto ticks_per_second = static_cast<std::int32_t>(::sysconf(_SC_CLK_TCK));
    if (info->rta_expires) route.expires = static_cast<std::int32_t>(info->rta_expires) / ticks_per_second;
    if (info->rta_error) route.error = info->rta_error;
    return true;
}

bool mark(Octets payload, Route& route) {
    const auto value = payload_as<std::uint32_t>(payload);
    if (value && *value) route.mark = *value;
    return value.has_value();
}

template <auto member>
bool prefix(Octets payload, Route& route) {
    const auto address = IpAddress::from(as_bytes(payload));
    if (!address) return false;
    IpPrefix value{*address, 0};
    route.*member = value;
    return true;
}

constexpr AttributeTable<Route, RTA_MAX + 1> route_table_{
    {RTA_DST, prefix<&Route::dst>},
    {RTA_SRC, prefix<&Route::from>},
    {RTA_NH_ID, number<&Route::nhid>},
    {RTA_ENCAP_TYPE, encap<Route>},
    {RTA_GATEWAY, ip<&Route::gateway>},
    {RTA_VIA, via<Route>},
    {RTA_OIF, reference<&Route::dev>},
    {RTA_PREFSRC, ip<&Route::prefsrc>},
    {RTA_PRIORITY, number<&Route::metric>},
    {RTA_MARK, mark},
    {RTA_FLOW, flow<Route>},
    {RTA_UID, number<&Route::uid>},
    {RTA_CACHEINFO, cache_info},
    {RTA_METRICS, metrics},
    {RTA_IIF, reference<&Route::iif>},
    {RTA_PREF, named<&Route::pref, router_preference_words>},
    {RTA_MULTIPATH, multipath},
};

}  // namespace

std::uint32_t route_table(const NetlinkMessage& message) {
    const auto header = message.start<rtmsg>();
    if (const auto wide = find_attribute(message.behind(sizeof header), RTA_TABLE))
        if (const auto value = payload_as<std::uint32_t>(*wide)) return *value;
    return header.rtm_table;
}

Malformed decode_route(const NetlinkMessage& message, Route& route) {
    const auto header = message.start<rtmsg>();
    route.family = family_word(header.rtm_family == AF_INET6);
    route.type = route_type_word(header.rtm_type);
    route.table = table_word(route_table(message));
    route.protocol = route_protocol_word(header.rtm_protocol);
    route.scope = scope_word(header.rtm_scope);
    if (header.rtm_tos) route.tos = traffic_class_word(header.rtm_tos);
    const Malformed bad = route_table_.decode(message.behind(sizeof header), route);
    route.dst.length = header.rtm_dst_len;
    if (route.from) route.from->length = header.rtm_src_len;
    route.flags = flag_words(header.rtm_flags);
    return bad;
}

void resolve_route(Route& route, const LinkNames& names) {
    names.resolve(route.dev);
    names.resolve(route.iif);
    for (auto& hop : route.nexthops) {
        std::optional<std::string> dev = std::move(hop.dev);
        names.resolve(dev);
        hop.dev = std::move(*dev);
    }
}

}  // namespace pve_rdma
