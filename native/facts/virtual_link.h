// The data of vxlan, macvlan, vrf and tun links. Names and values are those of `ip -j -d link`.
// Source: IFLA_VXLAN_*, IFLA_MACVLAN_*, IFLA_VRF_*, IFLA_TUN_* (linux/if_link.h).
#pragma once

#include "base/describe.h"
#include "facts/hardware_address.h"
#include "facts/ip_address.h"

namespace pve_rdma {

struct PortRange {
    std::uint32_t low = 0;
    std::uint32_t high = 0;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("low", self.low);
        visit("high", self.high);
    }
    bool operator==(const PortRange&) const = default;
};

struct Vxlan {
    std::optional<std::uint32_t> id{};  // VNI
    std::optional<IpAddress> group{};   // multicast group
    std::optional<IpAddress> group6{};
    std::optional<IpAddress> remote{};  // the one peer
    std::optional<IpAddress> remote6{};
    std::optional<IpAddress> local{};
    std::optional<IpAddress> local6{};
    std::optional<std::string> link{};  // name of the link below
    std::optional<PortRange> port_range{};
    std::optional<std::uint32_t> port{};  // UDP
    std::optional<std::string> tos{};     // 0x1: inherit
    std::optional<std::uint32_t> ttl{};
    std::optional<bool> ttl_inherit{};
    std::optional<std::string> df{};        // unset, set, inherit
    std::optional<std::string> label{};     // 0x..
    std::optional<std::uint32_t> ageing{};  // s
    std::optional<std::uint32_t> limit{};
    std::optional<bool> gbp{};
    std::optional<bool> gpe{};
    std::optional<bool> learning{};
    std::optional<bool> proxy{};
    std::optional<bool> rsc{};
    std::optional<bool> l2miss{};
    std::optional<bool> l3miss{};
    std::optional<bool> external{};
    std::optional<bool> udp_csum{};
    std::optional<bool> udp_zero_csum6_tx{};
    std::optional<bool> udp_zero_csum6_rx{};
    std::optional<bool> remcsum_tx{};
    std::optional<bool> remcsum_rx{};
    std::optional<bool> remcsum_nopartial{};
    std::optional<bool> vnifilter{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("id", self.id);
        visit("group", self.group);
        visit("group6", self.group6);
        visit("remote", self.remote);
        visit("remote6", self.remote6);
        visit("local", self.local);
        visit("local6", self.local6);
        visit("link", self.link);
        visit("port_range", self.port_range);
        visit("port", self.port);
        visit("tos", self.tos);
        visit("ttl", self.ttl);
        visit("ttl_inherit", self.ttl_inherit);
        visit("df", self.df);
        visit("label", self.label);
        visit("ageing", self.ageing);
        visit("limit", self.limit);
        visit("gbp", self.gbp);
        visit("gpe", self.gpe);
        visit("learning", self.learning);
        visit("proxy", self.proxy);
        visit("rsc", self.rsc);
        visit("l2miss", self.l2miss);
        visit("l3miss", self.l3miss);
        visit("external", self.external);
        visit("udp_csum", self.udp_csum);
        visit("udp_zero_csum6_tx", self.udp_zero_csum6_tx);
        visit("udp_zero_csum6_rx", self.udp_zero_csum6_rx);
        visit("remcsum_tx", self.remcsum_tx);
        visit("remcsum_rx", self.remcsum_rx);
        visit("remcsum_nopartial", self.remcsum_nopartial);
        visit("vnifilter", self.vnifilter);
    }
    bool operator==(const Vxlan&) const = default;
};

struct Macvlan {
    std::optional<std::string> mode{};  // private, vepa, bridge, passthru, source
    std::optional<bool> nopromisc{};
    std::optional<bool> nodst{};
    std::optional<std::uint32_t> bcqueuelen{};
    std::optional<std::uint32_t> usedbcqueuelen{};
    std::optional<std::uint32_t> macaddr_count{};
    std::vector<HardwareAddress> macaddr_data{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("mode", self.mode);
        visit("nopromisc", self.nopromisc);
        visit("nodst", self.nodst);
        visit("bcqueuelen", self.bcqueuelen);
        visit("usedbcqueuelen", self.usedbcqueuelen);
        visit("macaddr_count", self.macaddr_count);
        visit("macaddr_data", self.macaddr_data);
    }
    bool operator==(const Macvlan&) const = default;
};

// A VRF, and a port of one.
struct Vrf {
    std::optional<std::uint32_t> table{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("table", self.table);
    }
    bool operator==(const Vrf&) const = default;
};

struct Tun {
    std::optional<std::string> type{};  // tun, tap
    std::optional<bool> pi{};
    std::optional<bool> vnet_hdr{};
    std::optional<bool> multi_queue{};
    std::optional<std::uint32_t> numqueues{};
    std::optional<std::uint32_t> numdisabled{};
    std::optional<bool> persist{};
    std::optional<std::uint32_t> user{};   // user id
    std::optional<std::uint32_t> group{};  // group id

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("type", self.type);
        visit("pi", self.pi);
        visit("vnet_hdr", self.vnet_hdr);
        visit("multi_queue", self.multi_queue);
        visit("numqueues", self.numqueues);
        visit("numdisabled", self.numdisabled);
        visit("persist", self.persist);
        visit("user", self.user);
        visit("group", self.group);
    }
    bool operator==(const Tun&) const = default;
};

}  // namespace pve_rdma
