#include <linux/if_bonding.h>
#include <linux/if_link.h>

#include "facts/setting_words.h"
#include "observe/link_kinds.h"
#include "observe/netlink_table.h"

namespace pve_rdma {

namespace {

// The words of the bonding driver's options (Documentation/networking/bonding.rst), by value.
constexpr Words<7> arp_validate{"none",   "active",        "backup",       "all",
                                "filter", "filter_active", "filter_backup"};
constexpr Words<2> arp_all_targets{"any", "all"};
constexpr Words<3> primary_reselect{"always", "better", "failure"};
constexpr Words<2> off_on{"off", "on"};
constexpr Words<3> ad_select{"stable", "bandwidth", "count"};
constexpr Words<2> port_state{"ACTIVE", "BACKUP"};
constexpr Words<4> mii_status{"UP", "GOING_DOWN", "DOWN", "GOING_BACK"};
constexpr Words<8> lacp_state{"active",     "short_timeout", "aggregating", "in_sync",
                              "collecting", "distributing",  "defaulted",   "expired"};

template <auto member>
bool addresses(Octets payload, Bond& bond) {
    bool good = true;
    const bool whole = for_each_attribute(payload, [&](const NetlinkAttribute& target) {
        if (const auto address = IpAddress::from(as_bytes(target.payload)))
            (bond.*member).push_back(*address);
        else
            good = false;
    });
    return whole && good;
}

constexpr AttributeTable<BondAggregator, IFLA_BOND_AD_INFO_MAX + 1> aggregator_table{
    {IFLA_BOND_AD_INFO_AGGREGATOR, number<&BondAggregator::aggregator>},
    {IFLA_BOND_AD_INFO_NUM_PORTS, number<&BondAggregator::num_ports>},
    {IFLA_BOND_AD_INFO_ACTOR_KEY, number<&BondAggregator::actor_key>},
    {IFLA_BOND_AD_INFO_PARTNER_KEY, number<&BondAggregator::partner_key>},
    {IFLA_BOND_AD_INFO_PARTNER_MAC, hardware<&BondAggregator::partner_mac>},
};

bool aggregator(Octets payload, Bond& bond) {
    return !aggregator_table.decode(payload, bond.ad_info.emplace());
}

constexpr AttributeTable<Bond, IFLA_BOND_MAX + 1> bond_table{
    {IFLA_BOND_MODE, named<&Bond::mode, bond_mode_words>},
    {IFLA_BOND_ACTIVE_SLAVE, reference<&Bond::active_slave>},
    {IFLA_BOND_MIIMON, number<&Bond::miimon>},
    {IFLA_BOND_UPDELAY, number<&Bond::updelay>},
    {IFLA_BOND_DOWNDELAY, number<&Bond::downdelay>},
    {IFLA_BOND_PEER_NOTIF_DELAY, number<&Bond::peer_notify_delay>},
    {IFLA_BOND_USE_CARRIER, number<&Bond::use_carrier>},
    {IFLA_BOND_ARP_INTERVAL, number<&Bond::arp_interval>},
    {IFLA_BOND_MISSED_MAX, number<&Bond::arp_missed_max>},
    {IFLA_BOND_ARP_IP_TARGET, addresses<&Bond::arp_ip_target>},
    {IFLA_BOND_NS_IP6_TARGET, addresses<&Bond::ns_ip6_target>},
    {IFLA_BOND_ARP_VALIDATE, named<&Bond::arp_validate, arp_validate>},
    {IFLA_BOND_ARP_ALL_TARGETS, named<&Bond::arp_all_targets, arp_all_targets>},
    {IFLA_BOND_PRIMARY, reference<&Bond::primary>},
    {IFLA_BOND_PRIMARY_RESELECT, named<&Bond::primary_reselect, primary_reselect>},
    {IFLA_BOND_FAIL_OVER_MAC, named<&Bond::fail_over_mac, fail_over_mac_words>},
    {IFLA_BOND_XMIT_HASH_POLICY, named<&Bond::xmit_hash_policy, hash_policy_words>},
    {IFLA_BOND_RESEND_IGMP, number<&Bond::resend_igmp>},
    {IFLA_BOND_NUM_PEER_NOTIF, number<&Bond::num_peer_notif>},
    {IFLA_BOND_ALL_SLAVES_ACTIVE, number<&Bond::all_slaves_active>},
    {IFLA_BOND_MIN_LINKS, number<&Bond::min_links>},
    {IFLA_BOND_LP_INTERVAL, number<&Bond::lp_interval>},
    {IFLA_BOND_PACKETS_PER_SLAVE, number<&Bond::packets_per_slave>},
    {IFLA_BOND_AD_LACP_ACTIVE, named<&Bond::ad_lacp_active, off_on>},
    {IFLA_BOND_AD_LACP_RATE, named<&Bond::ad_lacp_rate, lacp_rate_words>},
    {IFLA_BOND_AD_SELECT, named<&Bond::ad_select, ad_select>},
    {IFLA_BOND_AD_INFO, aggregator},
    {IFLA_BOND_AD_ACTOR_SYS_PRIO, number<&Bond::ad_actor_sys_prio>},
    {IFLA_BOND_AD_USER_PORT_KEY, number<&Bond::ad_user_port_key>},
    {IFLA_BOND_AD_ACTOR_SYSTEM, hardware<&Bond::ad_actor_system>},
    {IFLA_BOND_TLB_DYNAMIC_LB, number<&Bond::tlb_dynamic_lb>},
};

// LACP's state octet (IEEE 802.1AX, 6.4.2.3): the bits' words beside the number.
template <auto value, auto words>
bool lacp_bits(Octets payload, BondPort& port) {
    const auto state = payload_as<std::uint8_t>(payload);
    if (!state) return false;
    port.*value = *state;
    auto& list = (port.*words).emplace();
    for (std::size_t bit = 0; bit < lacp_state.size(); ++bit)
        if (*state & (1U << bit)) list.emplace_back(lacp_state[bit]);
    return true;
}

constexpr AttributeTable<BondPort, IFLA_BOND_SLAVE_MAX + 1> port_table{
    {IFLA_BOND_SLAVE_STATE, named<&BondPort::state, port_state>},
    {IFLA_BOND_SLAVE_MII_STATUS, named<&BondPort::mii_status, mii_status>},
    {IFLA_BOND_SLAVE_LINK_FAILURE_COUNT, number<&BondPort::link_failure_count>},
    {IFLA_BOND_SLAVE_PERM_HWADDR, hardware<&BondPort::perm_hwaddr>},
    {IFLA_BOND_SLAVE_QUEUE_ID, number<&BondPort::queue_id>},
    {IFLA_BOND_SLAVE_PRIO, number<&BondPort::prio>},
    {IFLA_BOND_SLAVE_AD_AGGREGATOR_ID, number<&BondPort::ad_aggregator_id>},
    {IFLA_BOND_SLAVE_AD_ACTOR_OPER_PORT_STATE,
     lacp_bits<&BondPort::ad_actor_oper_port_state, &BondPort::ad_actor_oper_port_state_str>},
    {IFLA_BOND_SLAVE_AD_PARTNER_OPER_PORT_STATE,
     lacp_bits<&BondPort::ad_partner_oper_port_state, &BondPort::ad_partner_oper_port_state_str>},
};

}  // namespace

Malformed decode_bond(Octets data, Bond& bond) {
    return bond_table.decode(data, bond);
}

Malformed decode_bond_port(Octets data, BondPort& port) {
    return port_table.decode(data, port);
}

}  // namespace pve_rdma
