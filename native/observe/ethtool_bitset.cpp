#include "observe/ethtool_bitset.h"

#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>

namespace pve_rdma {

namespace {
constexpr std::uint32_t wanted_sets[]{ETH_SS_LINK_MODES, ETH_SS_FEATURES, ETH_SS_SOF_TIMESTAMPING,
                                      ETH_SS_TS_TX_TYPES, ETH_SS_TS_RX_FILTERS};
constexpr std::size_t most_bits = 4096;  // of one set; real ones have about a hundred

std::vector<bool> bits_of(Octets words, std::size_t count) {
    std::vector<bool> bits(std::min(count, std::min(most_bits, words.size() * 8)));
    for (std::size_t bit = 0; bit < bits.size(); ++bit) {
        std::uint32_t word;
        const std::size_t at = bit / 32 * sizeof word;
        if (at + sizeof word > words.size()) break;
        std::memcpy(&word, words.data() + at, sizeof word);
        bits[bit] = (word >> (bit % 32)) & 1;
    }
    return bits;
}
}  // namespace

Result<StringSets> StringSets::read(NetlinkTransport& transport, const GenericFamily& family) {
    NetlinkRequest request = generic_request(family, ETHTOOL_MSG_STRSET_GET, 0);
    request.nested(ETHTOOL_A_STRSET_HEADER, [](NetlinkRequest&) {});
    request.nested(ETHTOOL_A_STRSET_STRINGSETS, [](NetlinkRequest& sets) {
        for (const auto set : wanted_sets)
            sets.nested(ETHTOOL_A_STRINGSETS_STRINGSET,
                        [&](NetlinkRequest& one) { one.number(ETHTOOL_A_STRINGSET_ID, set); });
    });
    StringSets names;
    const auto asked = ask(transport, "STRSET_GET", std::move(request),
                           [&](const NetlinkMessage& message) { names = parse(message); });
    if (!asked) return std::unexpected(asked.error());
    return names;
}

StringSets StringSets::parse(const NetlinkMessage& message) {
    StringSets names;
    const auto sets = find_attribute(generic_attributes(message), ETHTOOL_A_STRSET_STRINGSETS);
    if (!sets) return names;
    for_each_attribute(*sets, [&](const NetlinkAttribute& set) {
        const auto id = find_attribute(set.payload, ETHTOOL_A_STRINGSET_ID);
        const auto strings = find_attribute(set.payload, ETHTOOL_A_STRINGSET_STRINGS);
        if (!id || !strings || !payload_number(*id)) return;
        auto& list = names.sets_[static_cast<std::uint32_t>(*payload_number(*id))];
        for_each_attribute(*strings, [&](const NetlinkAttribute& string) {
            const auto index = find_attribute(string.payload, ETHTOOL_A_STRING_INDEX);
            const auto value = find_attribute(string.payload, ETHTOOL_A_STRING_VALUE);
            if (!index || !value) return;
            const auto place = payload_number(*index).value_or(most_bits);
            if (place >= most_bits) return;
            if (list.size() <= place) list.resize(place + 1);
            list[place] = payload_text(*value);
        });
    });
    return names;
}

std::string StringSets::name(std::uint32_t set, std::size_t bit) const {
    const auto found = sets_.find(set);
    if (found != sets_.end() && bit < found->second.size() && !found->second[bit].empty())
        return found->second[bit];
    return "bit " + std::to_string(bit);
}

std::size_t StringSets::size(std::uint32_t set) const {
    const auto found = sets_.find(set);
    return found == sets_.end() ? 0 : found->second.size();
}

Bitset parse_bitset(Octets attributes) {
    Bitset bits;
    const auto size = find_attribute(attributes, ETHTOOL_A_BITSET_SIZE);
    const std::size_t count = size ? payload_number(*size).value_or(0) : 0;
    if (const auto value = find_attribute(attributes, ETHTOOL_A_BITSET_VALUE))
        bits.value = bits_of(*value, count);
    if (const auto mask = find_attribute(attributes, ETHTOOL_A_BITSET_MASK))
        bits.mask = bits_of(*mask, count);
    return bits;
}

std::vector<std::string> bit_names(const std::vector<bool>& bits, const StringSets& names,
                                   std::uint32_t set) {
    std::vector<std::string> list;
    for (std::size_t bit = 0; bit < bits.size(); ++bit)
        if (bits[bit]) list.push_back(names.name(set, bit));
    return list;
}

std::vector<NamedBit> parse_named_bits(Octets attributes) {
    std::vector<NamedBit> list;
    const auto bits = find_attribute(attributes, ETHTOOL_A_BITSET_BITS);
    if (!bits) return list;
    const bool listed_are_set = find_attribute(attributes, ETHTOOL_A_BITSET_NOMASK).has_value();
    for_each_attribute(*bits, [&](const NetlinkAttribute& bit) {
        const auto name = find_attribute(bit.payload, ETHTOOL_A_BITSET_BIT_NAME);
        if (!name) return;
        list.push_back(
            {std::string(payload_text(*name)),
             listed_are_set || find_attribute(bit.payload, ETHTOOL_A_BITSET_BIT_VALUE).has_value()});
    });
    return list;
}

}  // namespace pve_rdma
