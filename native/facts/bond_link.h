// Bonds and their ports. Names and values are those of `ip -j -d link` (info_data, info_slave_data of kind
// bond). Source: IFLA_BOND_* and IFLA_BOND_SLAVE_* (linux/if_link.h); the words of linux/if_bonding.h.
#pragma once

#include "base/describe.h"
#include "facts/hardware_address.h"
#include "facts/ip_address.h"

namespace pve_rdma {

// The active aggregator of an 802.3ad bond.
struct BondAggregator {
    std::optional<std::uint32_t> aggregator{};
    std::optional<std::uint32_t> num_ports{};
    std::optional<std::uint32_t> actor_key{};
    std::optional<std::uint32_t> partner_key{};
    std::optional<HardwareAddress> partner_mac{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("aggregator", self.aggregator);
        visit("num_ports", self.num_ports);
        visit("actor_key", self.actor_key);
        visit("partner_key", self.partner_key);
        visit("partner_mac", self.partner_mac);
    }
    bool operator==(const BondAggregator&) const = default;
};

struct Bond {
    std::optional<std::string>
        mode;  // balance-rr, active-backup, balance-xor, broadcast, 802.3ad, balance-tlb, balance-alb
    std::optional<std::string> active_slave{};         // name of the port in use
    std::optional<std::uint32_t> miimon{};             // ms; 0: off
    std::optional<std::uint32_t> updelay{};            // ms
    std::optional<std::uint32_t> downdelay{};          // ms
    std::optional<std::uint32_t> peer_notify_delay{};  // ms
    std::optional<std::uint32_t> use_carrier{};
    std::optional<std::uint32_t> arp_interval{};  // ms
    std::optional<std::uint32_t> arp_missed_max{};
    std::vector<IpAddress> arp_ip_target{};
    std::vector<IpAddress> ns_ip6_target{};
    std::optional<std::string>
        arp_validate;  // none, active, backup, all, filter, filter_active, filter_backup
    std::optional<std::string> arp_all_targets{};   // any, all
    std::optional<std::string> primary{};           // name of the preferred port
    std::optional<std::string> primary_reselect{};  // always, better, failure
    std::optional<std::string> fail_over_mac{};     // none, active, follow
    std::optional<std::string>
        xmit_hash_policy;  // layer2, layer3+4, layer2+3, encap2+3, encap3+4, vlan+srcmac
    std::optional<std::uint32_t> resend_igmp{};
    std::optional<std::uint32_t> num_peer_notif{};
    std::optional<std::uint32_t> all_slaves_active{};
    std::optional<std::uint32_t> min_links{};
    std::optional<std::uint32_t> lp_interval{};  // s
    std::optional<std::uint32_t> packets_per_slave{};
    std::optional<std::string> ad_lacp_active{};  // off, on
    std::optional<std::string> ad_lacp_rate{};    // slow, fast
    std::optional<std::string> ad_select{};       // stable, bandwidth, count
    std::optional<BondAggregator> ad_info{};
    std::optional<std::uint32_t> ad_actor_sys_prio{};
    std::optional<std::uint32_t> ad_user_port_key{};
    std::optional<HardwareAddress> ad_actor_system{};
    std::optional<std::uint32_t> tlb_dynamic_lb{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("mode", self.mode);
        visit("active_slave", self.active_slave);
        visit("miimon", self.miimon);
        visit("updelay", self.updelay);
        visit("downdelay", self.downdelay);
        visit("peer_notify_delay", self.peer_notify_delay);
        visit("use_carrier", self.use_carrier);
        visit("arp_interval", self.arp_interval);
        visit("arp_missed_max", self.arp_missed_max);
        visit("arp_ip_target", self.arp_ip_target);
        visit("ns_ip6_target", self.ns_ip6_target);
        visit("arp_validate", self.arp_validate);
        visit("arp_all_targets", self.arp_all_targets);
        visit("primary", self.primary);
        visit("primary_reselect", self.primary_reselect);
        visit("fail_over_mac", self.fail_over_mac);
        visit("xmit_hash_policy", self.xmit_hash_policy);
        visit("resend_igmp", self.resend_igmp);
        visit("num_peer_notif", self.num_peer_notif);
        visit("all_slaves_active", self.all_slaves_active);
        visit("min_links", self.min_links);
        visit("lp_interval", self.lp_interval);
        visit("packets_per_slave", self.packets_per_slave);
        visit("ad_lacp_active", self.ad_lacp_active);
        visit("ad_lacp_rate", self.ad_lacp_rate);
        visit("ad_select", self.ad_select);
        visit("ad_info", self.ad_info);
        visit("ad_actor_sys_prio", self.ad_actor_sys_prio);
        visit("ad_user_port_key", self.ad_user_port_key);
        visit("ad_actor_system", self.ad_actor_system);
        visit("tlb_dynamic_lb", self.tlb_dynamic_lb);
    }
    bool operator==(const Bond&) const = default;
};

struct BondPort {
    std::optional<std::string> state{};       // ACTIVE, BACKUP
    std::optional<std::string> mii_status{};  // UP, GOING_DOWN, DOWN, GOING_BACK
    std::optional<std::uint32_t> link_failure_count{};
    std::optional<HardwareAddress> perm_hwaddr{};
    std::optional<std::uint32_t> queue_id{};
    std::optional<std::int32_t> prio{};
    std::optional<std::uint32_t> ad_aggregator_id{};
    std::optional<std::uint32_t> ad_actor_oper_port_state{};
    std::optional<std::vector<std::string>> ad_actor_oper_port_state_str{};
    std::optional<std::uint32_t> ad_partner_oper_port_state{};
    std::optional<std::vector<std::string>> ad_partner_oper_port_state_str{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("state", self.state);
        visit("mii_status", self.mii_status);
        visit("link_failure_count", self.link_failure_count);
        visit("perm_hwaddr", self.perm_hwaddr);
        visit("queue_id", self.queue_id);
        visit("prio", self.prio);
        visit("ad_aggregator_id", self.ad_aggregator_id);
        visit("ad_actor_oper_port_state", self.ad_actor_oper_port_state);
        visit("ad_actor_oper_port_state_str", self.ad_actor_oper_port_state_str);
        visit("ad_partner_oper_port_state", self.ad_partner_oper_port_state);
        visit("ad_partner_oper_port_state_str", self.ad_partner_oper_port_state_str);
    }
    bool operator==(const BondPort&) const = default;
};

}  // namespace pve_rdma
