// Bridges, their ports and the VLANs of both. Names and values are those of `ip -j -d link` (kind bridge) and
// of `bridge -j vlan`. Times are in the kernel's hundredths of a second (USER_HZ) but for the *_timer fields:
// seconds. Source: IFLA_BR_*, IFLA_BRPORT_* (linux/if_link.h), IFLA_BRIDGE_VLAN_INFO (linux/if_bridge.h).
#pragma once

#include "base/describe.h"
#include "facts/hardware_address.h"
#include "facts/ip_address.h"

namespace pve_rdma {

// Who sends multicast queries, of one family.
struct BridgeQuerier {
    std::optional<IpAddress> address{};
    std::optional<std::uint32_t> port{};   // ifindex of the port towards the querier
    std::optional<std::uint64_t> timer{};  // hundredths of a second left

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("address", self.address);
        visit("port", self.port);
        visit("timer", self.timer);
    }
    bool operator==(const BridgeQuerier&) const = default;
};

struct Bridge {
    std::optional<std::uint32_t> forward_delay{};
    std::optional<std::uint32_t> hello_time{};
    std::optional<std::uint32_t> max_age{};
    std::optional<std::uint32_t> ageing_time{};
    std::optional<std::uint32_t> stp_state{};
    std::optional<std::uint32_t> priority{};
    std::optional<std::uint32_t> vlan_filtering{};
    std::optional<std::string> vlan_protocol{};  // 802.1Q, 802.1ad
    std::optional<std::string> bridge_id{};      // 8000.52:54:0:12:34:56
    std::optional<std::string> root_id{};
    std::optional<std::uint32_t> root_port{};
    std::optional<std::uint32_t> root_path_cost{};
    std::optional<std::uint32_t> topology_change{};
    std::optional<std::uint32_t> topology_change_detected{};
    std::optional<double> hello_timer{};
    std::optional<double> tcn_timer{};
    std::optional<double> topology_change_timer{};
    std::optional<double> gc_timer{};
    std::optional<std::uint32_t> vlan_default_pvid{};
    std::optional<std::uint32_t> vlan_stats_enabled{};
    std::optional<std::uint32_t> vlan_stats_per_port{};
    std::optional<std::string> group_fwd_mask{};  // 0x0
    std::optional<HardwareAddress> group_addr{};
    std::optional<std::uint32_t> mcast_snooping{};
    std::optional<std::uint32_t> no_linklocal_learn{};
    std::optional<std::uint32_t> mcast_vlan_snooping{};
    std::optional<std::uint32_t> mst_enabled{};
    std::optional<std::uint32_t> mcast_router{};
    std::optional<std::uint32_t> mcast_query_use_ifaddr{};
    std::optional<std::uint32_t> mcast_querier{};
    std::optional<BridgeQuerier> mcast_querier_ipv4{};
    std::optional<BridgeQuerier> mcast_querier_ipv6{};
    std::optional<std::uint32_t> mcast_hash_elasticity{};
    std::optional<std::uint32_t> mcast_hash_max{};
    std::optional<std::uint32_t> mcast_last_member_cnt{};
    std::optional<std::uint32_t> mcast_startup_query_cnt{};
    std::optional<std::uint64_t> mcast_last_member_intvl{};
    std::optional<std::uint64_t> mcast_membership_intvl{};
    std::optional<std::uint64_t> mcast_querier_intvl{};
    std::optional<std::uint64_t> mcast_query_intvl{};
    std::optional<std::uint64_t> mcast_query_response_intvl{};
    std::optional<std::uint64_t> mcast_startup_query_intvl{};
    std::optional<std::uint32_t> mcast_stats_enabled{};
    std::optional<std::uint32_t> mcast_igmp_version{};
    std::optional<std::uint32_t> mcast_mld_version{};
    std::optional<std::uint32_t> nf_call_iptables{};
    std::optional<std::uint32_t> nf_call_ip6tables{};
    std::optional<std::uint32_t> nf_call_arptables{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("forward_delay", self.forward_delay);
        visit("hello_time", self.hello_time);
        visit("max_age", self.max_age);
        visit("ageing_time", self.ageing_time);
        visit("stp_state", self.stp_state);
        visit("priority", self.priority);
        visit("vlan_filtering", self.vlan_filtering);
        visit("vlan_protocol", self.vlan_protocol);
        visit("bridge_id", self.bridge_id);
        visit("root_id", self.root_id);
        visit("root_port", self.root_port);
        visit("root_path_cost", self.root_path_cost);
        visit("topology_change", self.topology_change);
        visit("topology_change_detected", self.topology_change_detected);
        visit("hello_timer", self.hello_timer);
        visit("tcn_timer", self.tcn_timer);
        visit("topology_change_timer", self.topology_change_timer);
        visit("gc_timer", self.gc_timer);
        visit("vlan_default_pvid", self.vlan_default_pvid);
        visit("vlan_stats_enabled", self.vlan_stats_enabled);
        visit("vlan_stats_per_port", self.vlan_stats_per_port);
        visit("group_fwd_mask", self.group_fwd_mask);
        visit("group_addr", self.group_addr);
        visit("mcast_snooping", self.mcast_snooping);
        visit("no_linklocal_learn", self.no_linklocal_learn);
        visit("mcast_vlan_snooping", self.mcast_vlan_snooping);
        visit("mst_enabled", self.mst_enabled);
        visit("mcast_router", self.mcast_router);
        visit("mcast_query_use_ifaddr", self.mcast_query_use_ifaddr);
        visit("mcast_querier", self.mcast_querier);
        visit("mcast_querier_ipv4", self.mcast_querier_ipv4);
        visit("mcast_querier_ipv6", self.mcast_querier_ipv6);
        visit("mcast_hash_elasticity", self.mcast_hash_elasticity);
        visit("mcast_hash_max", self.mcast_hash_max);
        visit("mcast_last_member_cnt", self.mcast_last_member_cnt);
        visit("mcast_startup_query_cnt", self.mcast_startup_query_cnt);
        visit("mcast_last_member_intvl", self.mcast_last_member_intvl);
        visit("mcast_membership_intvl", self.mcast_membership_intvl);
        visit("mcast_querier_intvl", self.mcast_querier_intvl);
        visit("mcast_query_intvl", self.mcast_query_intvl);
        visit("mcast_query_response_intvl", self.mcast_query_response_intvl);
        visit("mcast_startup_query_intvl", self.mcast_startup_query_intvl);
        visit("mcast_stats_enabled", self.mcast_stats_enabled);
        visit("mcast_igmp_version", self.mcast_igmp_version);
        visit("mcast_mld_version", self.mcast_mld_version);
        visit("nf_call_iptables", self.nf_call_iptables);
        visit("nf_call_ip6tables", self.nf_call_ip6tables);
        visit("nf_call_arptables", self.nf_call_arptables);
    }
    bool operator==(const Bridge&) const = default;
};

struct BridgePort {
    std::optional<std::string> state{};  // disabled, listening, learning, forwarding, blocking
    std::optional<std::uint32_t> priority{};
    std::optional<std::uint32_t> cost{};
    std::optional<bool> hairpin{};
    std::optional<bool> guard{};
    std::optional<bool> root_block{};
    std::optional<bool> fastleave{};
    std::optional<bool> learning{};
    std::optional<bool> flood{};
    std::optional<std::string> id{};  // 0x8001
    std::optional<std::string> no{};  // 0x1
    std::optional<std::uint32_t> designated_port{};
    std::optional<std::uint32_t> designated_cost{};
    std::optional<std::string> bridge_id{};
    std::optional<std::string> root_id{};
    std::optional<double> hold_timer{};
    std::optional<double> message_age_timer{};
    std::optional<double> forward_delay_timer{};
    std::optional<std::uint32_t> topology_change_ack{};
    std::optional<std::uint32_t> config_pending{};
    std::optional<bool> proxy_arp{};
    std::optional<bool> proxy_arp_wifi{};
    std::optional<std::uint32_t> multicast_router{};
    std::optional<bool> mcast_flood{};
    std::optional<bool> bcast_flood{};
    std::optional<bool> mcast_to_unicast{};
    std::optional<bool> neigh_suppress{};
    std::optional<std::string> group_fwd_mask{};
    std::optional<std::string> group_fwd_mask_str{};
    std::optional<bool> vlan_tunnel{};
    std::optional<bool> isolated{};
    std::optional<bool> locked{};
    std::optional<std::string> backup_port{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("state", self.state);
        visit("priority", self.priority);
        visit("cost", self.cost);
        visit("hairpin", self.hairpin);
        visit("guard", self.guard);
        visit("root_block", self.root_block);
        visit("fastleave", self.fastleave);
        visit("learning", self.learning);
        visit("flood", self.flood);
        visit("id", self.id);
        visit("no", self.no);
        visit("designated_port", self.designated_port);
        visit("designated_cost", self.designated_cost);
        visit("bridge_id", self.bridge_id);
        visit("root_id", self.root_id);
        visit("hold_timer", self.hold_timer);
        visit("message_age_timer", self.message_age_timer);
        visit("forward_delay_timer", self.forward_delay_timer);
        visit("topology_change_ack", self.topology_change_ack);
        visit("config_pending", self.config_pending);
        visit("proxy_arp", self.proxy_arp);
        visit("proxy_arp_wifi", self.proxy_arp_wifi);
        visit("multicast_router", self.multicast_router);
        visit("mcast_flood", self.mcast_flood);
        visit("bcast_flood", self.bcast_flood);
        visit("mcast_to_unicast", self.mcast_to_unicast);
        visit("neigh_suppress", self.neigh_suppress);
        visit("group_fwd_mask", self.group_fwd_mask);
        visit("group_fwd_mask_str", self.group_fwd_mask_str);
        visit("vlan_tunnel", self.vlan_tunnel);
        visit("isolated", self.isolated);
        visit("locked", self.locked);
        visit("backup_port", self.backup_port);
    }
    bool operator==(const BridgePort&) const = default;
};

// A VLAN, or a range of VLANs, that a bridge or a bridge port carries.
struct BridgeVlan {
    static constexpr const char* pvid = "PVID";                 // frames without a tag are in it
    static constexpr const char* untagged = "Egress Untagged";  // frames leave without their tag

    std::uint32_t vlan = 0;
    std::optional<std::uint32_t> vlanEnd{};  // the range vlan..vlanEnd
    std::vector<std::string> flags{};        // PVID, Egress Untagged

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("vlan", self.vlan);
        visit("vlanEnd", self.vlanEnd);
        visit("flags", self.flags);
    }
    bool operator==(const BridgeVlan&) const = default;
};

}  // namespace pve_rdma
