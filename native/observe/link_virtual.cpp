#include <linux/if_link.h>
#include <linux/if_tun.h>
#include <linux/if_vlan.h>

#include <fmt/format.h>

#include "facts/setting_words.h"
#include "observe/link_kinds.h"
#include "observe/netlink_table.h"

namespace pve_rdma {

namespace {

constexpr Words<3> df_words{"unset", "set", "inherit"};
constexpr Words<3> tun_types{"", "tun", "tap"};

// The peer of a tunnel: a multicast group or one host, nothing when it is unspecified.
template <auto group, auto host>
bool peer(Octets payload, Vxlan& vxlan) {
    const auto address = IpAddress::from(as_bytes(payload));
    if (!address) return false;
    if (!address->is_unspecified()) vxlan.*(address->is_multicast() ? group : host) = *address;
    return true;
}

bool port_range(Octets payload, Vxlan& vxlan) {
    const auto range = payload_as<ifla_vxlan_port_range>(payload);
    if (range) vxlan.port_range = PortRange{be16toh(range->low), be16toh(range->high)};
    return range.has_value();
}

template <auto member>
bool hex_unless_zero(Octets payload, detail::OwnerOf<member>& out) {
    const auto value = payload_number(payload);
    if (value && *value) out.*member = hex_text(*value);
    return value.has_value();
}

bool flow_label(Octets payload, Vxlan& vxlan) {
    const auto label = payload_as<std::uint32_t>(payload);
    if (label && *label) vxlan.label = hex_text(be32toh(*label));
    return label.has_value();
}

constexpr AttributeTable<Vxlan, IFLA_VXLAN_MAX + 1> vxlan_table{
    {IFLA_VXLAN_ID, number<&Vxlan::id>},
    {IFLA_VXLAN_GROUP, peer<&Vxlan::group, &Vxlan::remote>},
    {IFLA_VXLAN_GROUP6, peer<&Vxlan::group6, &Vxlan::remote6>},
    {IFLA_VXLAN_LOCAL, peer<&Vxlan::local, &Vxlan::local>},
    {IFLA_VXLAN_LOCAL6, peer<&Vxlan::local6, &Vxlan::local6>},
    {IFLA_VXLAN_LINK, reference<&Vxlan::link>},
    {IFLA_VXLAN_PORT_RANGE, port_range},
    {IFLA_VXLAN_PORT, number_be<&Vxlan::port>},
    {IFLA_VXLAN_TOS, hex_unless_zero<&Vxlan::tos>},
    {IFLA_VXLAN_TTL, number<&Vxlan::ttl>},
    {IFLA_VXLAN_TTL_INHERIT, number<&Vxlan::ttl_inherit>},
    {IFLA_VXLAN_DF, named<&Vxlan::df, df_words>},
    {IFLA_VXLAN_LABEL, flow_label},
    {IFLA_VXLAN_AGEING, number<&Vxlan::ageing>},
    {IFLA_VXLAN_LIMIT, number<&Vxlan::limit>},
    {IFLA_VXLAN_GBP, present<&Vxlan::gbp>},
    {IFLA_VXLAN_GPE, present<&Vxlan::gpe>},
    {IFLA_VXLAN_LEARNING, number<&Vxlan::learning>},
    {IFLA_VXLAN_PROXY, number<&Vxlan::proxy>},
    {IFLA_VXLAN_RSC, number<&Vxlan::rsc>},
    {IFLA_VXLAN_L2MISS, number<&Vxlan::l2miss>},
    {IFLA_VXLAN_L3MISS, number<&Vxlan::l3miss>},
    {IFLA_VXLAN_COLLECT_METADATA, number<&Vxlan::external>},
    {IFLA_VXLAN_UDP_CSUM, number<&Vxlan::udp_csum>},
    {IFLA_VXLAN_UDP_ZERO_CSUM6_TX, number<&Vxlan::udp_zero_csum6_tx>},
    {IFLA_VXLAN_UDP_ZERO_CSUM6_RX, number<&Vxlan::udp_zero_csum6_rx>},
    {IFLA_VXLAN_REMCSUM_TX, number<&Vxlan::remcsum_tx>},
    {IFLA_VXLAN_REMCSUM_RX, number<&Vxlan::remcsum_rx>},
    {IFLA_VXLAN_REMCSUM_NOPARTIAL, present<&Vxlan::remcsum_nopartial>},
    {IFLA_VXLAN_VNIFILTER, number<&Vxlan::vnifilter>},
};

constexpr AttributeTable<Tun, IFLA_TUN_MAX + 1> tun_table{
    {IFLA_TUN_TYPE, named<&Tun::type, tun_types>},  {IFLA_TUN_PI, number<&Tun::pi>},
    {IFLA_TUN_VNET_HDR, number<&Tun::vnet_hdr>},    {IFLA_TUN_MULTI_QUEUE, number<&Tun::multi_queue>},
    {IFLA_TUN_NUM_QUEUES, number<&Tun::numqueues>}, {IFLA_TUN_NUM_DISABLED_QUEUES, number<&Tun::numdisabled>},
    {IFLA_TUN_PERSIST, number<&Tun::persist>},      {IFLA_TUN_OWNER, number<&Tun::user>},
    {IFLA_TUN_GROUP, number<&Tun::group>},
};

bool macvlan_mode(Octets payload, Macvlan& macvlan) {
    const auto mode = payload_as<std::uint32_t>(payload);
    if (!mode) return false;
    switch (*mode) {
        case MACVLAN_MODE_PRIVATE:
            macvlan.mode = "private";
            break;
        case MACVLAN_MODE_VEPA:
            macvlan.mode = "vepa";
            break;
        case MACVLAN_MODE_BRIDGE:
            macvlan.mode = "bridge";
            break;
        case MACVLAN_MODE_PASSTHRU:
            macvlan.mode = "passthru";
            break;
        case MACVLAN_MODE_SOURCE:
            macvlan.mode = "source";
            break;
        default:
            macvlan.mode = "unknown";
    }
    return true;
}

bool macvlan_flags(Octets payload, Macvlan& macvlan) {
    const auto flags = payload_as<std::uint16_t>(payload);
    if (!flags) return false;
    if (*flags & MACVLAN_FLAG_NOPROMISC) macvlan.nopromisc = true;
    if (*flags & MACVLAN_FLAG_NODST) macvlan.nodst = true;
    return true;
}

bool macvlan_sources(Octets payload, Macvlan& macvlan) {
    return for_each_attribute(payload, [&](const NetlinkAttribute& source) {
        if (const auto address = HardwareAddress::from(as_bytes(source.payload)))
            macvlan.macaddr_data.push_back(*address);
    });
}

constexpr AttributeTable<Macvlan, IFLA_MACVLAN_MAX + 1> macvlan_table{
    {IFLA_MACVLAN_MODE, macvlan_mode},
    {IFLA_MACVLAN_FLAGS, macvlan_flags},
    {IFLA_MACVLAN_BC_QUEUE_LEN, number<&Macvlan::bcqueuelen>},
    {IFLA_MACVLAN_BC_QUEUE_LEN_USED, number<&Macvlan::usedbcqueuelen>},
    {IFLA_MACVLAN_MACADDR_COUNT, number<&Macvlan::macaddr_count>},
    {IFLA_MACVLAN_MACADDR_DATA, macvlan_sources},
};

bool vlan_flags(Octets payload, Vlan& vlan) {
    const auto flags = payload_as<ifla_vlan_flags>(payload);
    if (!flags) return false;
    constexpr Words<5> words{"REORDER_HDR", "GVRP", "LOOSE_BINDING", "MVRP", "BRIDGE_BINDING"};
    constexpr std::array<std::size_t, 5> order{0, 1, 3, 2, 4};  // as `ip` prints them
    unsigned rest = flags->flags;
    for (const auto bit : order)
        if (rest & (1U << bit)) {
            rest &= ~(1U << bit);
            vlan.flags.emplace_back(words[bit]);
        }
    if (rest) vlan.flags.push_back(fmt::format("{:x}", rest));
    return true;
}

template <auto member>
bool qos(Octets payload, Vlan& vlan) {
    return for_each_attribute(payload, [&](const NetlinkAttribute& entry) {
        if (const auto mapping = payload_as<ifla_vlan_qos_mapping>(entry.payload))
            (vlan.*member).push_back({mapping->from, mapping->to});
    });
}

constexpr AttributeTable<Vlan, IFLA_VLAN_MAX + 1> vlan_table{
    {IFLA_VLAN_PROTOCOL, vlan_protocol<&Vlan::protocol>},
    {IFLA_VLAN_ID, number<&Vlan::id>},
    {IFLA_VLAN_FLAGS, vlan_flags},
    {IFLA_VLAN_INGRESS_QOS, qos<&Vlan::ingress_qos>},
    {IFLA_VLAN_EGRESS_QOS, qos<&Vlan::egress_qos>},
};

template <auto member, bool prefixed>
bool hex4(Octets payload, Ipoib& ipoib) {
    const auto value = payload_as<std::uint16_t>(payload);
    if (value) ipoib.*member = fmt::format("{}{:04x}", prefixed ? "0x" : "", *value);
    return value.has_value();
}

constexpr AttributeTable<Ipoib, IFLA_IPOIB_MAX + 1> ipoib_table{
    {IFLA_IPOIB_PKEY, hex4<&Ipoib::key, true>},
    {IFLA_IPOIB_MODE, named<&Ipoib::mode, ipoib_mode_words>},
    {IFLA_IPOIB_UMCAST, hex4<&Ipoib::umcast, false>},
};

constexpr AttributeTable<Vrf, IFLA_VRF_MAX + 1> vrf_table{{IFLA_VRF_TABLE, number<&Vrf::table>}};
constexpr AttributeTable<Vrf, IFLA_VRF_PORT_MAX + 1> vrf_port_table{
    {IFLA_VRF_PORT_TABLE, number<&Vrf::table>}};

}  // namespace

Malformed decode_vlan(Octets data, Vlan& vlan) {
    return vlan_table.decode(data, vlan);
}
Malformed decode_ipoib(Octets data, Ipoib& ipoib) {
    return ipoib_table.decode(data, ipoib);
}
Malformed decode_vxlan(Octets data, Vxlan& vxlan) {
    return vxlan_table.decode(data, vxlan);
}
Malformed decode_macvlan(Octets data, Macvlan& macvlan) {
    return macvlan_table.decode(data, macvlan);
}
Malformed decode_vrf(Octets data, Vrf& vrf) {
    return vrf_table.decode(data, vrf);
}
Malformed decode_vrf_port(Octets data, Vrf& vrf) {
    return vrf_port_table.decode(data, vrf);
}
Malformed decode_tun(Octets data, Tun& tun) {
    return tun_table.decode(data, tun);
}

}  // namespace pve_rdma
