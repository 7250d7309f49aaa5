#include <linux/fib_rules.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "observe/link_words.h"
#include "observe/netlink_table.h"
#include "observe/route_decode.h"

namespace pve_rdma {

namespace {

template <auto member>
bool address_text(Octets payload, Rule& rule) {
    const auto address = IpAddress::from(as_bytes(payload));
    if (address) rule.*member = address->text();
    return address.has_value();
}

// A mask of all ones is the default and left out.
bool mark_mask(Octets payload, Rule& rule) {
    const auto mask = payload_as<std::uint32_t>(payload);
    if (mask && *mask != 0xffffffffU) rule.fwmask = hex_text(*mask);
    return mask.has_value();
}

bool level3_master(Octets payload, Rule& rule) {
    const auto value = payload_as<std::uint8_t>(payload);
    if (value && *value) rule.l3mdev = true;
    return value.has_value();
}

bool user_range(Octets payload, Rule& rule) {
    const auto range = payload_as<fib_rule_uid_range>(payload);
    if (!range) return false;
    rule.uid_start = range->start;
    rule.uid_end = range->end;
    return true;
}

bool ip_protocol(Octets payload, Rule& rule) {
    const auto protocol = payload_as<std::uint8_t>(payload);
    if (protocol) rule.ipproto = ip_protocol_word(*protocol);
    return protocol.has_value();
}

template <auto one, auto first, auto last>
bool ports(Octets payload, Rule& rule) {
    const auto range = payload_as<fib_rule_port_range>(payload);
    if (!range) return false;
    if (range->start == range->end) {
        rule.*one = range->start;
    } else {
        rule.*first = range->start;
        rule.*last = range->end;
    }
    return true;
}

bool suppress_prefix(Octets payload, Rule& rule) {
    const auto length = payload_as<std::int32_t>(payload);
    if (length && *length != -1) rule.suppress_prefixlen = *length;
    return length.has_value();
}

bool suppress_group(Octets payload, Rule& rule) {
    const auto group = payload_as<std::int32_t>(payload);
    if (group && *group != -1) rule.suppress_ifgroup = group_word(static_cast<std::uint32_t>(*group));
    return group.has_value();
}

bool realms(Octets payload, Rule& rule) {
    const auto value = payload_as<std::uint32_t>(payload);
    if (!value) return false;
    if (*value >> 16) rule.flow_from = std::to_string(*value >> 16);
    rule.flow_to = std::to_string(*value & 0xffff);
    return true;
}

bool protocol(Octets payload, Rule& rule) {
    const auto value = payload_as<std::uint8_t>(payload);
    if (value) rule.protocol = route_protocol_word(*value);
    return value.has_value();
}

constexpr AttributeTable<Rule, FRA_MAX + 1> rule_table{
    {FRA_PRIORITY, number<&Rule::priority>},
    {FRA_SRC, address_text<&Rule::src>},
    {FRA_DST, address_text<&Rule::dst>},
    {FRA_FWMARK, hex<&Rule::fwmark>},
    {FRA_FWMASK, mark_mask},
    {FRA_IFNAME, text<&Rule::iif>},
    {FRA_OIFNAME, text<&Rule::oif>},
    {FRA_L3MDEV, level3_master},
    {FRA_UID_RANGE, user_range},
    {FRA_IP_PROTO, ip_protocol},
    {FRA_SPORT_RANGE, ports<&Rule::sport, &Rule::sport_start, &Rule::sport_end>},
    {FRA_DPORT_RANGE, ports<&Rule::dport, &Rule::dport_start, &Rule::dport_end>},
    {FRA_TUN_ID, number_be<&Rule::tun_id>},
    {FRA_SUPPRESS_PREFIXLEN, suppress_prefix},
    {FRA_SUPPRESS_IFGROUP, suppress_group},
    {FRA_FLOW, realms},
    {FRA_GOTO, number<&Rule::goto_>},
    {FRA_PROTOCOL, protocol},
};

}  // namespace

Malformed decode_rule(const NetlinkMessage& message, Rule& rule) {
    const auto header = message.start<fib_rule_hdr>();
    const Octets attributes = message.behind(sizeof header);
    const unsigned whole = header.family == AF_INET6 ? 128 : 32;
    rule.family = family_word(header.family == AF_INET6);
    rule.src = "all";
    const Malformed bad = rule_table.decode(attributes, rule);

    if (header.src_len && rule.src == "all") rule.src = "0";
    if (header.src_len && header.src_len != whole) rule.srclen = header.src_len;
    if (header.dst_len && !rule.dst) rule.dst = "0";
    if (header.dst_len && header.dst_len != whole) rule.dstlen = header.dst_len;
    if (header.tos) rule.tos = traffic_class_word(header.tos);
    if (rule.fwmask && !rule.fwmark) rule.fwmark = "0";
    if (header.flags & FIB_RULE_INVERT) rule.not_ = true;
    if (rule.iif && (header.flags & FIB_RULE_IIF_DETACHED)) rule.iif_detached = true;
    if (rule.oif && (header.flags & FIB_RULE_OIF_DETACHED)) rule.oif_detached = true;
    std::uint32_t table = header.table;
    if (const auto wide = find_attribute(attributes, FRA_TABLE))
        if (const auto value = payload_as<std::uint32_t>(*wide)) table = *value;
    if (table) rule.table = table_word(table);
    switch (header.action) {
        case FR_ACT_TO_TBL:
            break;
        case FR_ACT_GOTO:
            if (header.flags & FIB_RULE_UNRESOLVED) rule.unresolved = true;
            break;
        case FR_ACT_NOP:
            rule.nop = true;
            break;
        default:
            rule.action = route_type_word(header.action);
    }
    return bad;
}

}  // namespace pve_rdma
