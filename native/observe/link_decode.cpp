#include "observe/link_decode.h"

#include <algorithm>
#include <string_view>

#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "base/number.h"
#include "observe/link_words.h"
#include "observe/netlink_table.h"

namespace pve_rdma {

namespace {

constexpr Words<7> operational_states{"UNKNOWN", "NOTPRESENT", "DOWN", "LOWERLAYERDOWN",
                                      "TESTING", "DORMANT",    "UP"};
constexpr Words<2> link_modes{"DEFAULT", "DORMANT"};
constexpr Words<4> address_modes{"eui64", "none", "stable_secret", "random"};  // IN6_ADDR_GEN_MODE_*
constexpr Words<5> xdp_modes{"", "xdp", "xdpgeneric", "xdpoffload", "xdpmulti"};

bool group(Octets payload, Link& link) {
    const auto value = payload_as<std::uint32_t>(payload);
    if (value) link.group = group_word(*value);
    return value.has_value();
}

bool queue_length(Octets payload, Link& link) {
    const auto value = payload_as<std::uint32_t>(payload);
    if (value && *value) link.txqlen = *value;
    return value.has_value();
}

bool per_family(Octets payload, Link& link) {
    const auto inet6 = find_attribute(payload, AF_INET6);
    if (!inet6) return true;
    const auto mode = find_attribute(*inet6, IFLA_INET6_ADDR_GEN_MODE);
    return !mode || named<&Link::inet6_addr_gen_mode, address_modes>(*mode, link);
}

bool xdp(Octets payload, Link& link) {
    const auto attached = find_attribute(payload, IFLA_XDP_ATTACHED);
    if (!attached) return true;
    const auto mode = payload_as<std::uint8_t>(*attached);
    if (mode && *mode) link.xdp = word_of(xdp_modes, *mode);
    return mode.has_value();
}

bool alternative_names(Octets payload, Link& link) {
    return for_each_attribute(payload, [&](const NetlinkAttribute& property) {
        if (property.type == IFLA_ALT_IFNAME) link.altnames.emplace_back(payload_text(property.payload));
    });
}

bool link_info(Octets payload, Link& link) {
    return !decode_link_info(payload, link);
}

constexpr AttributeTable<Link, IFLA_MAX + 1> link_table{
    {IFLA_IFNAME, text<&Link::ifname>},
    {IFLA_LINK, number<&Link::link_index>},
    {IFLA_LINK_NETNSID, number<&Link::link_netnsid>},
    {IFLA_MTU, number<&Link::mtu>},
    {IFLA_XDP, xdp},
    {IFLA_QDISC, text<&Link::qdisc>},
    {IFLA_MASTER, reference<&Link::master>},
    {IFLA_OPERSTATE, named<&Link::operstate, operational_states>},
    {IFLA_LINKMODE, named<&Link::linkmode, link_modes>},
    {IFLA_GROUP, group},
    {IFLA_TXQLEN, queue_length},
    {IFLA_ADDRESS, hardware<&Link::address>},
    {IFLA_BROADCAST, hardware<&Link::broadcast>},
    {IFLA_PERM_ADDRESS, hardware<&Link::permaddr>},
    {IFLA_PROTO_DOWN, number<&Link::proto_down>},
    {IFLA_CARRIER, number<&Link::carrier>},
    {IFLA_CARRIER_CHANGES, number<&Link::carrier_changes>},
    {IFLA_PROMISCUITY, number<&Link::promiscuity>},
    {IFLA_ALLMULTI, number<&Link::allmulti>},
    {IFLA_MIN_MTU, number<&Link::min_mtu>},
    {IFLA_MAX_MTU, number<&Link::max_mtu>},
    {IFLA_LINKINFO, link_info},
    {IFLA_AF_SPEC, per_family},
    {IFLA_NUM_TX_QUEUES, number<&Link::num_tx_queues>},
    {IFLA_NUM_RX_QUEUES, number<&Link::num_rx_queues>},
    {IFLA_GSO_MAX_SIZE, number<&Link::gso_max_size>},
    {IFLA_GSO_MAX_SEGS, number<&Link::gso_max_segs>},
    {IFLA_TSO_MAX_SIZE, number<&Link::tso_max_size>},
    {IFLA_TSO_MAX_SEGS, number<&Link::tso_max_segs>},
    {IFLA_GRO_MAX_SIZE, number<&Link::gro_max_size>},
    {IFLA_PHYS_PORT_NAME, text<&Link::phys_port_name>},
    {IFLA_PHYS_PORT_ID, octets<&Link::phys_port_id>},
    {IFLA_PHYS_SWITCH_ID, octets<&Link::phys_switch_id>},
    {IFLA_PARENT_DEV_BUS_NAME, text<&Link::parentbus>},
    {IFLA_PARENT_DEV_NAME, text<&Link::parentdev>},
    {IFLA_IFALIAS, text<&Link::ifalias>},
    {IFLA_NUM_VF, number<&Link::num_vf>},
    {IFLA_PROP_LIST, alternative_names},
};

// Which decoder the data of a kind takes. A kind that is not here keeps its name only.
template <auto member, auto decode>
Malformed into(Octets data, Link& link) {
    return decode(data, (link.*member).emplace());
}

struct KindRule {
    std::string_view kind;
    Malformed (*data)(Octets, Link&);  // IFLA_INFO_DATA
    Malformed (*port)(Octets, Link&);  // IFLA_INFO_SLAVE_DATA of a port of this kind
};

constexpr KindRule kinds[]{
    {"bond", into<&Link::bond, decode_bond>, into<&Link::bond_port, decode_bond_port>},
    {"bridge", into<&Link::bridge, decode_bridge>, into<&Link::bridge_port, decode_bridge_port>},
    {"vlan", into<&Link::vlan, decode_vlan>, nullptr},
    {"ipoib", into<&Link::ipoib, decode_ipoib>, nullptr},
    {"vxlan", into<&Link::vxlan, decode_vxlan>, nullptr},
    {"macvlan", into<&Link::macvlan, decode_macvlan>, nullptr},
    {"macvtap", into<&Link::macvlan, decode_macvlan>, nullptr},
    {"vrf", into<&Link::vrf, decode_vrf>, into<&Link::vrf_port, decode_vrf_port>},
    {"tun", into<&Link::tun, decode_tun>, nullptr},
};

const KindRule* find_kind(std::string_view kind) {
    const auto found = std::ranges::find(kinds, kind, &KindRule::kind);
    return found == std::end(kinds) ? nullptr : found;
}

}  // namespace

Malformed decode_link_info(Octets info, Link& link) {
    std::optional<Octets> data, port_data;
    const bool whole = for_each_attribute(info, [&](const NetlinkAttribute& attribute) {
        switch (attribute.type) {
            case IFLA_INFO_KIND:
                link.info_kind.emplace(payload_text(attribute.payload));
                break;
            case IFLA_INFO_DATA:
                data = attribute.payload;
                break;
            case IFLA_INFO_SLAVE_KIND:
                link.info_slave_kind.emplace(payload_text(attribute.payload));
                break;
            case IFLA_INFO_SLAVE_DATA:
                port_data = attribute.payload;
                break;
        }
    });
    Malformed bad = whole ? Malformed{} : Malformed{IFLA_LINKINFO};
    if (link.info_kind && data)
        if (const auto* kind = find_kind(*link.info_kind); kind && kind->data)
            if (const auto wrong = kind->data(*data, link)) bad = wrong;
    if (link.info_slave_kind && port_data)
        if (const auto* kind = find_kind(*link.info_slave_kind); kind && kind->port)
            if (const auto wrong = kind->port(*port_data, link)) bad = wrong;
    return bad;
}

Malformed decode_link(const NetlinkMessage& message, Link& link) {
    const auto header = message.start<ifinfomsg>();
    const Octets attributes = message.behind(sizeof header);
    link.ifindex = static_cast<std::uint32_t>(header.ifi_index);
    link.flags = link_flag_words(header.ifi_flags);
    link.link_type = link_type_word(header.ifi_type);
    Malformed bad = link_table.decode(attributes, link);

    if (header.ifi_flags & IFF_POINTOPOINT && link.broadcast) link.link_pointtopoint = true;
    if (link.permaddr == link.address) link.permaddr.reset();
    if (link.link_index && *link.link_index && !link.link_netnsid)
        link.link = std::to_string(*link.link_index);
    if (link.num_vf && *link.num_vf)
        if (const auto list = find_attribute(attributes, IFLA_VFINFO_LIST))
            if (const auto wrong = decode_vfs(*list, header.ifi_type, link.vfinfo_list)) bad = wrong;
    return bad;
}

LinkNames::LinkNames(std::span<const Link> links) {
    by_index_.reserve(links.size());
    for (const auto& link : links)
        by_index_.emplace_back(link.ifindex, &link);
    if (!std::ranges::is_sorted(by_index_)) std::ranges::sort(by_index_);
}

const Link* LinkNames::find(std::uint32_t ifindex) const {
    const auto found =
        std::ranges::lower_bound(by_index_, ifindex, {}, [](const auto& entry) { return entry.first; });
    return found != by_index_.end() && found->first == ifindex ? found->second : nullptr;
}

std::string LinkNames::name(std::uint32_t ifindex) const {
    const Link* link = find(ifindex);
    return link ? link->ifname : "if" + std::to_string(ifindex);
}

void LinkNames::resolve(std::optional<std::string>& reference) const {
    if (!reference) return;
    if (const auto ifindex = parse_number<std::uint32_t>(*reference)) reference = name(*ifindex);
}

void resolve_names(std::span<Link> links) {
    const LinkNames names(links);
    for (auto& link : links) {
        if (link.link) {
            const Link* below = names.find(*link.link_index);
            if (!below || std::ranges::find(below->flags, "UP") == below->flags.end())
                link.flags.emplace_back("M-DOWN");
        }
        names.resolve(link.link);
        names.resolve(link.master);
        if (link.bond) {
            names.resolve(link.bond->active_slave);
            names.resolve(link.bond->primary);
        }
        if (link.bridge_port) names.resolve(link.bridge_port->backup_port);
        if (link.vxlan) names.resolve(link.vxlan->link);
    }
}

}  // namespace pve_rdma
