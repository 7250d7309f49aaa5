#include <linux/if_bridge.h>
#include <linux/if_link.h>

#include <fmt/format.h>

#include "observe/link_kinds.h"
#include "observe/netlink_table.h"

namespace pve_rdma {

namespace {

constexpr Words<5> port_states{"disabled", "listening", "learning", "forwarding", "blocking"};

// Priority and MAC address as brctl and `ip` write them: "8000.2:42:ac:11:0:2", octets without leading zeros.
template <auto member>
bool bridge_id(Octets payload, detail::OwnerOf<member>& out) {
    const auto id = payload_as<ifla_bridge_id>(payload);
    if (!id) return false;
    const auto* a = id->addr;
    out.*member = fmt::format("{:02x}{:02x}.{:x}:{:x}:{:x}:{:x}:{:x}:{:x}", id->prio[0], id->prio[1], a[0],
                              a[1], a[2], a[3], a[4], a[5]);
    return true;
}

// Hundredths of a second (USER_HZ) to seconds.
template <auto member>
bool seconds(Octets payload, detail::OwnerOf<member>& out) {
    const auto value = payload_as<std::uint64_t>(payload);
    if (value) out.*member = static_cast<double>(*value) / 100;
    return value.has_value();
}

std::string mask_text(std::uint16_t value) {
    return value ? hex_text(value) : "0";
}

template <auto member>
bool mask(Octets payload, detail::OwnerOf<member>& out) {
    const auto value = payload_as<std::uint16_t>(payload);
    if (value) out.*member = mask_text(*value);
    return value.has_value();
}

// Groups 01:80:c2:00:00:0X that the port forwards, by bit X.
bool forward_mask(Octets payload, BridgePort& port) {
    const auto value = payload_as<std::uint16_t>(payload);
    if (!value) return false;
    port.group_fwd_mask = mask_text(*value);
    constexpr Words<16> groups{"stp", "", "lacp", "", "", "", "", "", "", "", "", "", "", "", "lldp"};
    std::string words;
    unsigned rest = *value;
    for (std::size_t bit = 0; bit < groups.size(); ++bit) {
        if (!(rest & (1U << bit)) || groups[bit].empty()) continue;
        rest &= ~(1U << bit);
        words += words.empty() ? "" : ",";
        words += groups[bit];
    }
    if (rest || words.empty()) words += (words.empty() ? "" : ",") + fmt::format("0x{:x}", rest);
    port.group_fwd_mask_str = words;
    return true;
}

bool bool_options(Octets payload, Bridge& bridge) {
    const auto options = payload_as<br_boolopt_multi>(payload);
    if (!options) return false;
    const auto take = [&](unsigned bit, std::optional<std::uint32_t>& member) {
        if (options->optmask & (1U << bit)) member = (options->optval >> bit) & 1;
    };
    take(BR_BOOLOPT_NO_LL_LEARN, bridge.no_linklocal_learn);
    take(BR_BOOLOPT_MCAST_VLAN_SNOOPING, bridge.mcast_vlan_snooping);
    take(BR_BOOLOPT_MST_ENABLE, bridge.mst_enabled);
    return true;
}

bool queriers(Octets payload, Bridge& bridge) {
    const auto take = [&](std::uint16_t address, std::uint16_t port, std::uint16_t timer,
                          std::optional<BridgeQuerier>& member) {
        const auto found = find_attribute(payload, address);
        if (!found) return true;
        const auto parsed = IpAddress::from(as_bytes(*found));
        if (!parsed) return false;
        member.emplace().address = *parsed;
        if (const auto value = find_attribute(payload, port)) number<&BridgeQuerier::port>(*value, *member);
        if (const auto value = find_attribute(payload, timer)) number<&BridgeQuerier::timer>(*value, *member);
        return true;
    };
    return take(BRIDGE_QUERIER_IP_ADDRESS, BRIDGE_QUERIER_IP_PORT, BRIDGE_QUERIER_IP_OTHER_TIMER,
                bridge.mcast_querier_ipv4) &&
           take(BRIDGE_QUERIER_IPV6_ADDRESS, BRIDGE_QUERIER_IPV6_PORT, BRIDGE_QUERIER_IPV6_OTHER_TIMER,
                bridge.mcast_querier_ipv6);
}

constexpr AttributeTable<Bridge, IFLA_BR_MAX + 1> bridge_table{
    {IFLA_BR_FORWARD_DELAY, number<&Bridge::forward_delay>},
    {IFLA_BR_HELLO_TIME, number<&Bridge::hello_time>},
    {IFLA_BR_MAX_AGE, number<&Bridge::max_age>},
    {IFLA_BR_AGEING_TIME, number<&Bridge::ageing_time>},
    {IFLA_BR_STP_STATE, number<&Bridge::stp_state>},
    {IFLA_BR_PRIORITY, number<&Bridge::priority>},
    {IFLA_BR_VLAN_FILTERING, number<&Bridge::vlan_filtering>},
    {IFLA_BR_VLAN_PROTOCOL, vlan_protocol<&Bridge::vlan_protocol>},
    {IFLA_BR_BRIDGE_ID, bridge_id<&Bridge::bridge_id>},
    {IFLA_BR_ROOT_ID, bridge_id<&Bridge::root_id>},
    {IFLA_BR_ROOT_PORT, number<&Bridge::root_port>},
    {IFLA_BR_ROOT_PATH_COST, number<&Bridge::root_path_cost>},
    {IFLA_BR_TOPOLOGY_CHANGE, number<&Bridge::topology_change>},
    {IFLA_BR_TOPOLOGY_CHANGE_DETECTED, number<&Bridge::topology_change_detected>},
    {IFLA_BR_HELLO_TIMER, seconds<&Bridge::hello_timer>},
    {IFLA_BR_TCN_TIMER, seconds<&Bridge::tcn_timer>},
    {IFLA_BR_TOPOLOGY_CHANGE_TIMER, seconds<&Bridge::topology_change_timer>},
    {IFLA_BR_GC_TIMER, seconds<&Bridge::gc_timer>},
    {IFLA_BR_VLAN_DEFAULT_PVID, number<&Bridge::vlan_default_pvid>},
    {IFLA_BR_VLAN_STATS_ENABLED, number<&Bridge::vlan_stats_enabled>},
    {IFLA_BR_VLAN_STATS_PER_PORT, number<&Bridge::vlan_stats_per_port>},
    {IFLA_BR_GROUP_FWD_MASK, mask<&Bridge::group_fwd_mask>},
    {IFLA_BR_GROUP_ADDR, hardware<&Bridge::group_addr>},
    {IFLA_BR_MCAST_SNOOPING, number<&Bridge::mcast_snooping>},
    {IFLA_BR_MULTI_BOOLOPT, bool_options},
    {IFLA_BR_MCAST_ROUTER, number<&Bridge::mcast_router>},
    {IFLA_BR_MCAST_QUERY_USE_IFADDR, number<&Bridge::mcast_query_use_ifaddr>},
    {IFLA_BR_MCAST_QUERIER, number<&Bridge::mcast_querier>},
    {IFLA_BR_MCAST_QUERIER_STATE, queriers},
    {IFLA_BR_MCAST_HASH_ELASTICITY, number<&Bridge::mcast_hash_elasticity>},
    {IFLA_BR_MCAST_HASH_MAX, number<&Bridge::mcast_hash_max>},
    {IFLA_BR_MCAST_LAST_MEMBER_CNT, number<&Bridge::mcast_last_member_cnt>},
    {IFLA_BR_MCAST_STARTUP_QUERY_CNT, number<&Bridge::mcast_startup_query_cnt>},
    {IFLA_BR_MCAST_LAST_MEMBER_INTVL, number<&Bridge::mcast_last_member_intvl>},
    {IFLA_BR_MCAST_MEMBERSHIP_INTVL, number<&Bridge::mcast_membership_intvl>},
    {IFLA_BR_MCAST_QUERIER_INTVL, number<&Bridge::mcast_querier_intvl>},
    {IFLA_BR_MCAST_QUERY_INTVL, number<&Bridge::mcast_query_intvl>},
    {IFLA_BR_MCAST_QUERY_RESPONSE_INTVL, number<&Bridge::mcast_query_response_intvl>},
    {IFLA_BR_MCAST_STARTUP_QUERY_INTVL, number<&Bridge::mcast_startup_query_intvl>},
    {IFLA_BR_MCAST_STATS_ENABLED, number<&Bridge::mcast_stats_enabled>},
    {IFLA_BR_MCAST_IGMP_VERSION, number<&Bridge::mcast_igmp_version>},
    {IFLA_BR_MCAST_MLD_VERSION, number<&Bridge::mcast_mld_version>},
    {IFLA_BR_NF_CALL_IPTABLES, number<&Bridge::nf_call_iptables>},
    {IFLA_BR_NF_CALL_IP6TABLES, number<&Bridge::nf_call_ip6tables>},
    {IFLA_BR_NF_CALL_ARPTABLES, number<&Bridge::nf_call_arptables>},
};

constexpr AttributeTable<BridgePort, IFLA_BRPORT_MAX + 1> port_table{
    {IFLA_BRPORT_STATE, named<&BridgePort::state, port_states>},
    {IFLA_BRPORT_PRIORITY, number<&BridgePort::priority>},
    {IFLA_BRPORT_COST, number<&BridgePort::cost>},
    {IFLA_BRPORT_MODE, number<&BridgePort::hairpin>},
    {IFLA_BRPORT_GUARD, number<&BridgePort::guard>},
    {IFLA_BRPORT_PROTECT, number<&BridgePort::root_block>},
    {IFLA_BRPORT_FAST_LEAVE, number<&BridgePort::fastleave>},
    {IFLA_BRPORT_LEARNING, number<&BridgePort::learning>},
    {IFLA_BRPORT_UNICAST_FLOOD, number<&BridgePort::flood>},
    {IFLA_BRPORT_ID, hex<&BridgePort::id>},
    {IFLA_BRPORT_NO, hex<&BridgePort::no>},
    {IFLA_BRPORT_DESIGNATED_PORT, number<&BridgePort::designated_port>},
    {IFLA_BRPORT_DESIGNATED_COST, number<&BridgePort::designated_cost>},
    {IFLA_BRPORT_BRIDGE_ID, bridge_id<&BridgePort::bridge_id>},
    {IFLA_BRPORT_ROOT_ID, bridge_id<&BridgePort::root_id>},
    {IFLA_BRPORT_HOLD_TIMER, seconds<&BridgePort::hold_timer>},
    {IFLA_BRPORT_MESSAGE_AGE_TIMER, seconds<&BridgePort::message_age_timer>},
    {IFLA_BRPORT_FORWARD_DELAY_TIMER, seconds<&BridgePort::forward_delay_timer>},
    {IFLA_BRPORT_TOPOLOGY_CHANGE_ACK, number<&BridgePort::topology_change_ack>},
    {IFLA_BRPORT_CONFIG_PENDING, number<&BridgePort::config_pending>},
    {IFLA_BRPORT_PROXYARP, number<&BridgePort::proxy_arp>},
    {IFLA_BRPORT_PROXYARP_WIFI, number<&BridgePort::proxy_arp_wifi>},
    {IFLA_BRPORT_MULTICAST_ROUTER, number<&BridgePort::multicast_router>},
    {IFLA_BRPORT_MCAST_FLOOD, number<&BridgePort::mcast_flood>},
    {IFLA_BRPORT_BCAST_FLOOD, number<&BridgePort::bcast_flood>},
    {IFLA_BRPORT_MCAST_TO_UCAST, number<&BridgePort::mcast_to_unicast>},
    {IFLA_BRPORT_NEIGH_SUPPRESS, number<&BridgePort::neigh_suppress>},
    {IFLA_BRPORT_GROUP_FWD_MASK, forward_mask},
    {IFLA_BRPORT_VLAN_TUNNEL, number<&BridgePort::vlan_tunnel>},
    {IFLA_BRPORT_ISOLATED, number<&BridgePort::isolated>},
    {IFLA_BRPORT_LOCKED, number<&BridgePort::locked>},
    {IFLA_BRPORT_BACKUP_PORT, reference<&BridgePort::backup_port>},
};

}  // namespace

Malformed decode_bridge(Octets data, Bridge& bridge) {
    return bridge_table.decode(data, bridge);
}

Malformed decode_bridge_port(Octets data, BridgePort& port) {
    return port_table.decode(data, port);
}

// A range comes as two entries: one that begins it, one that ends it.
Malformed decode_bridge_vlans(Octets af_spec, std::vector<BridgeVlan>& vlans) {
    Malformed bad;
    const bool whole = for_each_attribute(af_spec, [&](const NetlinkAttribute& attribute) {
        if (attribute.type != IFLA_BRIDGE_VLAN_INFO) return;
        const auto info = payload_as<bridge_vlan_info>(attribute.payload);
        if (!info) {
            bad = attribute.type;
            return;
        }
        if ((info->flags & BRIDGE_VLAN_INFO_RANGE_END) && !vlans.empty()) {
            vlans.back().vlanEnd = info->vid;
            return;
        }
        auto& vlan = vlans.emplace_back();
        vlan.vlan = info->vid;
        if (info->flags & BRIDGE_VLAN_INFO_PVID) vlan.flags.emplace_back(BridgeVlan::pvid);
        if (info->flags & BRIDGE_VLAN_INFO_UNTAGGED) vlan.flags.emplace_back(BridgeVlan::untagged);
    });
    return whole ? bad : Malformed{0xffff};
}

}  // namespace pve_rdma
