#include "network/vlan_membership.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"

namespace pve_rdma {

namespace {

// The first word; it goes from the text.
std::string_view take_word(std::string_view& text) {
    const auto begin = std::min(text.find_first_not_of(' '), text.size());
    const auto end = std::min(text.find(' ', begin), text.size());
    const auto word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    return word;
}

}  // namespace

VlanMembership VlanMembership::of(const std::vector<BridgeVlan>& ranges) {
    VlanMembership all;
    for (const auto& range : ranges)
        for (std::uint32_t id = range.vlan; id <= range.vlanEnd.value_or(range.vlan) && id < all.vlans.size();
             ++id)
            all.vlans[id] = {
                .carried = true,
                .pvid = std::ranges::find(range.flags, BridgeVlan::pvid) != range.flags.end(),
                .untagged = std::ranges::find(range.flags, BridgeVlan::untagged) != range.flags.end()};
    return all;
}

Result<VlanMembership> VlanMembership::parse(std::string_view text) {
    const auto wrong = [&](std::string_view part) {
        return std::unexpected(
            Error{.code = ErrorCode::malformed,
                  .subject = std::string(part.substr(0, 80)),
                  .message = "is no VLAN, range of VLANs or flag, or a second pvid",
                  .hint = "as \"1 pvid untagged,2-4094\", with numbers from 1 to 4094; or \"none\""});
    };
    VlanMembership all;
    if (text == "none") return all;
    bool has_pvid = false;
    while (true) {
        const auto comma = std::min(text.find(','), text.size());
        std::string_view part = text.substr(0, comma);
        const std::string_view whole = part, ids = take_word(part);
        const auto dash = ids.find('-');
        const auto first = parse_number<std::uint32_t>(ids.substr(0, dash));
        const auto last = dash == ids.npos ? first : parse_number<std::uint32_t>(ids.substr(dash + 1));
        if (!first || !last || *first < 1 || *last < *first || *last >= all.vlans.size()) return wrong(whole);
        Vlan vlan{.carried = true};
        for (auto word = take_word(part); !word.empty(); word = take_word(part)) {
            if (word != "pvid" && word != "untagged") return wrong(whole);
            (word == "pvid" ? vlan.pvid : vlan.untagged) = true;
        }
        if (vlan.pvid && (std::exchange(has_pvid, true) || *first != *last)) return wrong(whole);
        std::fill(all.vlans.begin() + *first, all.vlans.begin() + *last + 1, vlan);
        if (comma == text.size()) return all;
        text.remove_prefix(comma + 1);
    }
}

std::vector<BridgeVlan> VlanMembership::ranges() const {
    std::vector<BridgeVlan> all;
    for (std::uint32_t id = 1; id < vlans.size(); ++id) {
        if (!vlans[id].carried) continue;
        if (id > 1 && vlans[id] == vlans[id - 1] && !vlans[id].pvid) {
            all.back().vlanEnd = id;
            continue;
        }
        BridgeVlan& vlan = all.emplace_back();
        vlan.vlan = id;
        if (vlans[id].pvid) vlan.flags.emplace_back(BridgeVlan::pvid);
        if (vlans[id].untagged) vlan.flags.emplace_back(BridgeVlan::untagged);
    }
    return all;
}

std::string VlanMembership::text() const {
    std::string text;
    for (const auto& range : ranges()) {
        if (!text.empty()) text += ',';
        text += std::to_string(range.vlan);
        if (range.vlanEnd) text += fmt::format("-{}", *range.vlanEnd);
        if (vlans[range.vlan].pvid) text += " pvid";
        if (vlans[range.vlan].untagged) text += " untagged";
    }
    return text.empty() ? "none" : text;
}

}  // namespace pve_rdma
