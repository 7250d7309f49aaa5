// Routes and policy rules. Names and values are those of `ip -j -d route show table all` of one family.
// Source: struct rtmsg, RTA_* and RTAX_* (linux/rtnetlink.h).
#pragma once

#include "base/describe.h"
#include "facts/boxed.h"
#include "facts/ip_address.h"
#include "facts/rule.h"

namespace pve_rdma {

// A gateway of the other family.
struct RouteVia {
    std::string family{};
    IpAddress host{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("family", self.family);
        visit("host", self.host);
    }
    bool operator==(const RouteVia&) const = default;
};

// Realms.
struct RouteFlow {
    std::optional<std::string> from{};
    std::string to{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("from", self.from);
        visit("to", self.to);
    }
    bool operator==(const RouteFlow&) const = default;
};

struct RouteMetrics {
    std::optional<std::uint32_t> mtu{};
    std::optional<std::uint32_t> window{};
    std::optional<std::uint32_t> rtt{};
    std::optional<std::uint32_t> rttvar{};
    std::optional<std::uint32_t> ssthresh{};
    std::optional<std::uint32_t> cwnd{};
    std::optional<std::uint32_t> advmss{};
    std::optional<std::uint32_t> reordering{};
    std::optional<std::uint32_t> hoplimit{};
    std::optional<std::uint32_t> initcwnd{};
    std::optional<bool> ecn{};
    std::optional<std::string> features{};
    std::optional<std::uint32_t> rto_min{};
    std::optional<std::uint32_t> initrwnd{};
    std::optional<std::uint32_t> quickack{};
    std::optional<std::string> congestion{};
    std::optional<std::uint32_t> fastopen_no_cookie{};
    std::vector<std::string> locked{};  // names of the metrics that path MTU discovery and TCP may not change

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("mtu", self.mtu);
        visit("window", self.window);
        visit("rtt", self.rtt);
        visit("rttvar", self.rttvar);
        visit("ssthresh", self.ssthresh);
        visit("cwnd", self.cwnd);
        visit("advmss", self.advmss);
        visit("reordering", self.reordering);
        visit("hoplimit", self.hoplimit);
        visit("initcwnd", self.initcwnd);
        visit("ecn", self.ecn);
        visit("features", self.features);
        visit("rto_min", self.rto_min);
        visit("initrwnd", self.initrwnd);
        visit("quickack", self.quickack);
        visit("congestion", self.congestion);
        visit("fastopen_no_cookie", self.fastopen_no_cookie);
        visit("locked", self.locked);
    }
    bool operator==(const RouteMetrics&) const = default;
};

// One of the paths of a multipath route.
struct NextHop {
    std::optional<std::string> encap{};  // type of a lightweight tunnel: mpls, ip, ip6, seg6 ...
    std::optional<IpAddress> gateway{};
    std::optional<RouteVia> via{};
    std::optional<RouteFlow> flow{};
    std::string dev{};
    std::uint32_t weight = 0;
    std::vector<std::string> flags{};  // dead, onlink, linkdown ...

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("encap", self.encap);
        visit("gateway", self.gateway);
        visit("via", self.via);
        visit("flow", self.flow);
        visit("dev", self.dev);
        visit("weight", self.weight);
        visit("flags", self.flags);
    }
    bool operator==(const NextHop&) const = default;
};

struct Route {
    std::string family{};  // inet, inet6
    std::string type{};    // unicast, blackhole, unreachable, prohibit, throw, ...
    IpPrefix dst{};
    std::optional<IpPrefix> from{};
    std::optional<std::uint32_t> nhid{};
    std::optional<std::string> encap{};
    std::optional<std::string> tos{};
    std::optional<IpAddress> gateway{};
    std::optional<RouteVia> via{};
    std::optional<std::string> dev{};
    std::string table{};     // main, default, or a number
    std::string protocol{};  // kernel, boot, static, ra, dhcp, ...
    std::string scope{};     // global, site, link, host, nowhere
    std::optional<IpAddress> prefsrc{};
    std::optional<std::uint32_t> metric{};
    std::vector<std::string> flags{};
    std::optional<std::uint32_t> mark{};
    std::optional<RouteFlow> flow{};
    std::optional<std::uint32_t> uid{};
    std::optional<std::int32_t> expires{};  // s
    std::optional<std::uint32_t> error{};
    Boxed<RouteMetrics> metrics{};
    std::optional<std::string> iif{};
    std::optional<std::string> pref{};  // low, medium, high
    std::vector<NextHop> nexthops{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("family", self.family);
        visit("type", self.type);
        visit("dst", self.dst);
        visit("from", self.from);
        visit("nhid", self.nhid);
        visit("encap", self.encap);
        visit("tos", self.tos);
        visit("gateway", self.gateway);
        visit("via", self.via);
        visit("dev", self.dev);
        visit("table", self.table);
        visit("protocol", self.protocol);
        visit("scope", self.scope);
        visit("prefsrc", self.prefsrc);
        visit("metric", self.metric);
        visit("flags", self.flags);
        visit("mark", self.mark);
        visit("flow", self.flow);
        visit("uid", self.uid);
        visit("expires", self.expires);
        visit("error", self.error);
        visit("metrics", self.metrics);
        visit("iif", self.iif);
        visit("pref", self.pref);
        visit("nexthops", self.nexthops);
    }
    bool operator==(const Route&) const = default;
};

}  // namespace pve_rdma
