#include "observe/ethtool_kinds.h"

#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>

#include "observe/netlink_table.h"

namespace pve_rdma {

namespace {

constexpr Words<2> duplex_words{"Half", "Full"};
constexpr Words<2> transceivers{"internal", "external"};

bool speed(Octets payload, Ethernet& ethernet) {
    const auto value = payload_as<std::uint32_t>(payload);
    if (value && *value != static_cast<std::uint32_t>(SPEED_UNKNOWN)) ethernet.speed = *value;
    return value.has_value();
}

bool duplex(Octets payload, Ethernet& ethernet) {
    const auto value = payload_as<std::uint8_t>(payload);
    if (value && *value < duplex_words.size()) ethernet.duplex = duplex_words[*value];
    return value.has_value();
}

bool port(Octets payload, Ethernet& ethernet) {
    const auto value = payload_as<std::uint8_t>(payload);
    if (!value) return false;
    switch (*value) {
        case PORT_TP:
            ethernet.port = "Twisted Pair";
            break;
        case PORT_AUI:
            ethernet.port = "AUI";
            break;
        case PORT_MII:
            ethernet.port = "MII";
            break;
        case PORT_FIBRE:
            ethernet.port = "FIBRE";
            break;
        case PORT_BNC:
            ethernet.port = "BNC";
            break;
        case PORT_DA:
            ethernet.port = "Direct Attach Copper";
            break;
        case PORT_NONE:
            ethernet.port = "None";
            break;
        case PORT_OTHER:
            ethernet.port = "Other";
            break;
        default:
            ethernet.port = std::to_string(*value);
    }
    return true;
}

bool mdix(Octets payload, Ethernet& ethernet) {
    const auto value = payload_as<std::uint8_t>(payload);
    if (value && *value == ETH_TP_MDI) ethernet.mdix = "off";
    if (value && *value == ETH_TP_MDI_X) ethernet.mdix = "on";
    return value.has_value();
}

constexpr AttributeTable<Ethernet, ETHTOOL_A_LINKMODES_MAX + 1> modes_table{
    {ETHTOOL_A_LINKMODES_AUTONEG, number<&Ethernet::autoneg>},
    {ETHTOOL_A_LINKMODES_SPEED, speed},
    {ETHTOOL_A_LINKMODES_DUPLEX, duplex},
    {ETHTOOL_A_LINKMODES_LANES, number<&Ethernet::lanes>},
};

constexpr AttributeTable<Ethernet, ETHTOOL_A_LINKINFO_MAX + 1> info_table{
    {ETHTOOL_A_LINKINFO_PORT, port},
    {ETHTOOL_A_LINKINFO_PHYADDR, number<&Ethernet::phyaddr>},
    {ETHTOOL_A_LINKINFO_TRANSCEIVER, named<&Ethernet::transceiver, transceivers>},
    {ETHTOOL_A_LINKINFO_TP_MDIX, mdix},
};

constexpr AttributeTable<Ethernet, ETHTOOL_A_LINKSTATE_MAX + 1> state_table{
    {ETHTOOL_A_LINKSTATE_LINK, number<&Ethernet::link>},
    {ETHTOOL_A_LINKSTATE_SQI, number<&Ethernet::sqi>},
    {ETHTOOL_A_LINKSTATE_SQI_MAX, number<&Ethernet::sqi_max>},
};

constexpr AttributeTable<Pause, ETHTOOL_A_PAUSE_MAX + 1> pause_table{
    {ETHTOOL_A_PAUSE_AUTONEG, number<&Pause::autoneg>},
    {ETHTOOL_A_PAUSE_RX, number<&Pause::rx>},
    {ETHTOOL_A_PAUSE_TX, number<&Pause::tx>},
};

constexpr AttributeTable<Rings, ETHTOOL_A_RINGS_MAX + 1> rings_table{
    {ETHTOOL_A_RINGS_RX_MAX, number<&Rings::rx_max>},
    {ETHTOOL_A_RINGS_RX_MINI_MAX, number<&Rings::rx_mini_max>},
    {ETHTOOL_A_RINGS_RX_JUMBO_MAX, number<&Rings::rx_jumbo_max>},
    {ETHTOOL_A_RINGS_TX_MAX, number<&Rings::tx_max>},
    {ETHTOOL_A_RINGS_RX, number<&Rings::rx>},
    {ETHTOOL_A_RINGS_RX_MINI, number<&Rings::rx_mini>},
    {ETHTOOL_A_RINGS_RX_JUMBO, number<&Rings::rx_jumbo>},
    {ETHTOOL_A_RINGS_TX, number<&Rings::tx>},
    {ETHTOOL_A_RINGS_RX_BUF_LEN, number<&Rings::rx_buf_len>},
    {ETHTOOL_A_RINGS_CQE_SIZE, number<&Rings::cqe_size>},
};

constexpr AttributeTable<Channels, ETHTOOL_A_CHANNELS_MAX + 1> channels_table{
    {ETHTOOL_A_CHANNELS_RX_MAX, number<&Channels::rx_max>},
    {ETHTOOL_A_CHANNELS_TX_MAX, number<&Channels::tx_max>},
    {ETHTOOL_A_CHANNELS_OTHER_MAX, number<&Channels::other_max>},
    {ETHTOOL_A_CHANNELS_COMBINED_MAX, number<&Channels::combined_max>},
    {ETHTOOL_A_CHANNELS_RX_COUNT, number<&Channels::rx>},
    {ETHTOOL_A_CHANNELS_TX_COUNT, number<&Channels::tx>},
    {ETHTOOL_A_CHANNELS_OTHER_COUNT, number<&Channels::other>},
    {ETHTOOL_A_CHANNELS_COMBINED_COUNT, number<&Channels::combined>},
};

// Names of `ethtool -c`, by attribute number (ETHTOOL_A_COALESCE_*).
constexpr Words<ETHTOOL_A_COALESCE_USE_CQE_MODE_RX + 1> coalesce_names{
    "",
    "",
    "rx-usecs",
    "rx-frames",
    "rx-usecs-irq",
    "rx-frames-irq",
    "tx-usecs",
    "tx-frames",
    "tx-usecs-irq",
    "tx-frames-irq",
    "stats-block-usecs",
    "adaptive-rx",
    "adaptive-tx",
    "pkt-rate-low",
    "rx-usecs-low",
    "rx-frame-low",
    "tx-usecs-low",
    "tx-frame-low",
    "pkt-rate-high",
    "rx-usecs-high",
    "rx-frame-high",
    "tx-usecs-high",
    "tx-frame-high",
    "sample-interval",
    "cqe-mode-tx",
    "cqe-mode-rx",
};

void take_modes(Octets attributes, const StringSets& names, Ethernet& ethernet) {
    modes_table.decode(attributes, ethernet);
    if (const auto ours = find_attribute(attributes, ETHTOOL_A_LINKMODES_OURS)) {
        const Bitset bits = parse_bitset(*ours);
        ethernet.supported = bit_names(bits.mask, names, ETH_SS_LINK_MODES);
        ethernet.advertised = bit_names(bits.value, names, ETH_SS_LINK_MODES);
    }
    if (const auto peer = find_attribute(attributes, ETHTOOL_A_LINKMODES_PEER))
        ethernet.peer = bit_names(parse_bitset(*peer).value, names, ETH_SS_LINK_MODES);
}

void take_info(Octets attributes, const StringSets&, Ethernet& ethernet) {
    info_table.decode(attributes, ethernet);
}

void take_state(Octets attributes, const StringSets&, Ethernet& ethernet) {
    state_table.decode(attributes, ethernet);
    const auto state = find_attribute(attributes, ETHTOOL_A_LINKSTATE_EXT_STATE);
    if (!state || !payload_number(*state)) return;
    const auto value = static_cast<std::uint8_t>(*payload_number(*state));
    ethernet.ext_state = extended_state(value);
    if (const auto substate = find_attribute(attributes, ETHTOOL_A_LINKSTATE_EXT_SUBSTATE))
        if (const auto detail = payload_number(*substate))
            ethernet.ext_substate = extended_substate(value, static_cast<std::uint8_t>(*detail));
}

void take_fec(Octets attributes, const StringSets& names, Ethernet& ethernet) {
    Fec fec;
    if (const auto modes = find_attribute(attributes, ETHTOOL_A_FEC_MODES))
        fec.modes = bit_names(parse_bitset(*modes).value, names, ETH_SS_LINK_MODES);
    if (const auto automatic = find_attribute(attributes, ETHTOOL_A_FEC_AUTO))
        number<&Fec::auto_>(*automatic, fec);
    if (const auto active = find_attribute(attributes, ETHTOOL_A_FEC_ACTIVE))
        if (const auto bit = payload_number(*active)) fec.active = names.name(ETH_SS_LINK_MODES, *bit);
    ethernet.fec = std::move(fec);
}

template <auto member, const auto& table>
void take_table(Octets attributes, const StringSets&, Ethernet& ethernet) {
    table.decode(attributes, (ethernet.*member).emplace());
}

void take_coalesce(Octets attributes, const StringSets&, Ethernet& ethernet) {
    for_each_attribute(attributes, [&](const NetlinkAttribute& attribute) {
        if (attribute.type >= coalesce_names.size() || coalesce_names[attribute.type].empty()) return;
        if (const auto value = payload_number(attribute.payload))
            ethernet.coalesce.emplace(coalesce_names[attribute.type], *value);
    });
}

void take_features(Octets attributes, const StringSets& names, Ethernet& ethernet) {
    const auto bits = [&](std::uint16_t type) {
        const auto set = find_attribute(attributes, type);
        return set ? parse_bitset(*set).value : std::vector<bool>{};
    };
    const auto at = [](const std::vector<bool>& set, std::size_t bit) {
        return bit < set.size() && set[bit];
    };
    const auto hardware = bits(ETHTOOL_A_FEATURES_HW), wanted = bits(ETHTOOL_A_FEATURES_WANTED),
               active = bits(ETHTOOL_A_FEATURES_ACTIVE), no_change = bits(ETHTOOL_A_FEATURES_NOCHANGE);
    for (std::size_t bit = 0; bit < names.size(ETH_SS_FEATURES); ++bit) {
        std::string text = at(active, bit) ? "on" : "off";
        if (!at(hardware, bit) || at(no_change, bit))
            text += " [fixed]";
        else if (at(wanted, bit) != at(active, bit))
            text += at(wanted, bit) ? " [requested on]" : " [requested off]";
        ethernet.features.emplace(names.name(ETH_SS_FEATURES, bit), std::move(text));
    }
}

void take_private_flags(Octets attributes, const StringSets&, Ethernet& ethernet) {
    const auto flags = find_attribute(attributes, ETHTOOL_A_PRIVFLAGS_FLAGS);
    if (!flags) return;
    for (auto& bit : parse_named_bits(*flags))
        ethernet.private_flags.emplace(std::move(bit.name), bit.value);
}

void take_timestamping(Octets attributes, const StringSets& names, Ethernet& ethernet) {
    const auto set = [&](std::uint16_t type, std::uint32_t strings) {
        const auto bits = find_attribute(attributes, type);
        return bits ? bit_names(parse_bitset(*bits).value, names, strings) : std::vector<std::string>{};
    };
    auto& timestamping = ethernet.timestamping.emplace();
    timestamping.capabilities = set(ETHTOOL_A_TSINFO_TIMESTAMPING, ETH_SS_SOF_TIMESTAMPING);
    timestamping.tx_types = set(ETHTOOL_A_TSINFO_TX_TYPES, ETH_SS_TS_TX_TYPES);
    timestamping.rx_filters = set(ETHTOOL_A_TSINFO_RX_FILTERS, ETH_SS_TS_RX_FILTERS);
    if (const auto clock = find_attribute(attributes, ETHTOOL_A_TSINFO_PHC_INDEX))
        number<&Timestamping::phc_index>(*clock, timestamping);
}

void take_wake_on_lan(Octets attributes, const StringSets&, Ethernet& ethernet) {
    const auto modes = find_attribute(attributes, ETHTOOL_A_WOL_MODES);
    if (!modes) return;
    auto& wake = ethernet.wake_on_lan.emplace();
    for (const auto& bit : parse_named_bits(*modes)) {
        wake.supported.push_back(bit.name);
        if (bit.value) wake.active.push_back(bit.name);
    }
}

constexpr EthtoolKind kinds[]{
    {ETHTOOL_MSG_LINKMODES_GET, "LINKMODES_GET", true, false, take_modes, true},
    {ETHTOOL_MSG_LINKINFO_GET, "LINKINFO_GET", true, false, take_info},
    {ETHTOOL_MSG_LINKSTATE_GET, "LINKSTATE_GET", true, false, take_state},
    {ETHTOOL_MSG_FEC_GET, "FEC_GET", true, true, take_fec, true},
    {ETHTOOL_MSG_PAUSE_GET, "PAUSE_GET", true, true, take_table<&Ethernet::pause, pause_table>, true},
    {ETHTOOL_MSG_RINGS_GET, "RINGS_GET", true, false, take_table<&Ethernet::rings, rings_table>, true},
    {ETHTOOL_MSG_CHANNELS_GET, "CHANNELS_GET", true, false, take_table<&Ethernet::channels, channels_table>},
    {ETHTOOL_MSG_COALESCE_GET, "COALESCE_GET", true, false, take_coalesce},
    {ETHTOOL_MSG_FEATURES_GET, "FEATURES_GET", true, false, take_features},
    {ETHTOOL_MSG_PRIVFLAGS_GET, "PRIVFLAGS_GET", false, true, take_private_flags},
    {ETHTOOL_MSG_TSINFO_GET, "TSINFO_GET", true, true, take_timestamping},
    {ETHTOOL_MSG_WOL_GET, "WOL_GET", false, true, take_wake_on_lan},
};

}  // namespace

std::span<const EthtoolKind> ethtool_kinds() {
    return kinds;
}

}  // namespace pve_rdma
