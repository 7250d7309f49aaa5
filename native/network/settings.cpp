#include "network/settings.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number.h"
#include "facts/setting_words.h"
#include "network/setting_fields.h"
#include "network/vlan_membership.h"

namespace pve_rdma {

namespace {

using namespace setting_fields;

constexpr std::string_view flap = "the link may go down for a moment";
constexpr std::string_view flap_negotiation = "the link goes down until both ends have agreed again";

const std::vector<std::string_view> truth{"true", "false"};

template <std::size_t count>
std::vector<std::string_view> all_of(const Words<count>& words) {
    return {words.begin(), words.end()};
}

const std::vector<SettingRule>& table() {
    using E = Ethernet;
    static const std::vector<SettingRule> rules{
        // any link
        {.key = "mtu",
         .kind = "",
         .option = "mtu",
         .risk = flap,
         .minimum = 68,
         .maximum = 65535,
         .read = read<&Link::mtu>,
         .write = write<&Link::mtu>},
        {.key = "up", .kind = "", .option = "", .words = truth, .read = read_up, .write = write_up},
        {.key = "master",
         .kind = "",
         .option = "",
         .read = read_name<&Link::master>,
         .write = write<&Link::master>},
        {.key = "alias",
         .kind = "",
         .option = "alias",
         .read = read_name<&Link::ifalias>,
         .write = write<&Link::ifalias>},
        // ports of bridges
        {.key = "vlans",
         .kind = "",
         .option = "bridge-vids",
         .way = SettingWay::bridge_message,
         .risk = "frames of VLANs that it does not carry are dropped",
         .read = read_vlans,
         .write = write_vlans},
        // ports and P_Key children of InfiniBand
        {.key = "ipoib.mode",
         .kind = "ipoib",
         .option = "ib-mode",
         .risk = "connections of this interface stop for a moment",
         .words = all_of(ipoib_mode_words),
         .read = read<&Link::ipoib, &Ipoib::mode>,
         .write = write<&Link::ipoib, &Ipoib::mode>},
        // bonds
        {.key = "bond.mode",
         .kind = "bond",
         .option = "bond-mode",
         .at_birth = true,
         .words = all_of(bond_mode_words),
         .read = read<&Link::bond, &Bond::mode>,
         .write = write<&Link::bond, &Bond::mode>},
        {.key = "bond.miimon",
         .kind = "bond",
         .option = "bond-miimon",
         .minimum = 0,
         .maximum = 1'000'000,
         .read = read<&Link::bond, &Bond::miimon>,
         .write = write<&Link::bond, &Bond::miimon>},
        {.key = "bond.updelay",
         .kind = "bond",
         .option = "bond-updelay",
         .minimum = 0,
         .maximum = 1'000'000,
         .read = read<&Link::bond, &Bond::updelay>,
         .write = write<&Link::bond, &Bond::updelay>},
        {.key = "bond.downdelay",
         .kind = "bond",
         .option = "bond-downdelay",
         .minimum = 0,
         .maximum = 1'000'000,
         .read = read<&Link::bond, &Bond::downdelay>,
         .write = write<&Link::bond, &Bond::downdelay>},
        {.key = "bond.primary",
         .kind = "bond",
         .option = "bond-primary",
         .read = read_primary,
         .write = write<&Link::bond, &Bond::primary>},
        {.key = "bond.fail_over_mac",
         .kind = "bond",
         .option = "bond-fail-over-mac",
         .at_birth = true,
         .words = all_of(fail_over_mac_words),
         .read = read<&Link::bond, &Bond::fail_over_mac>,
         .write = write<&Link::bond, &Bond::fail_over_mac>},
        {.key = "bond.hash_policy",
         .kind = "bond",
         .option = "bond-xmit-hash-policy",
         .words = all_of(hash_policy_words),
         .read = read<&Link::bond, &Bond::xmit_hash_policy>,
         .write = write<&Link::bond, &Bond::xmit_hash_policy>},
        {.key = "bond.lacp_rate",
         .kind = "bond",
         .option = "bond-lacp-rate",
         .at_birth = true,
         .words = all_of(lacp_rate_words),
         .read = read<&Link::bond, &Bond::ad_lacp_rate>,
         .write = write<&Link::bond, &Bond::ad_lacp_rate>},
        {.key = "bond.min_links",
         .kind = "bond",
         .option = "bond-min-links",
         .minimum = 0,
         .maximum = 65535,
         .read = read<&Link::bond, &Bond::min_links>,
         .write = write<&Link::bond, &Bond::min_links>},
        // bridges
        {.key = "bridge.stp",
         .kind = "bridge",
         .option = "bridge-stp",
         .risk = "ports wait before they forward",
         .words = truth,
         .read = read_bridge_flag<&Bridge::stp_state>,
         .write = write_bridge_flag<&Bridge::stp_state>},
        {.key = "bridge.vlan_aware",
         .kind = "bridge",
         .option = "bridge-vlan-aware",
         .risk = "frames of VLANs that no port has are dropped",
         .words = truth,
         .read = read_bridge_flag<&Bridge::vlan_filtering>,
         .write = write_bridge_flag<&Bridge::vlan_filtering>},
        // Ethernet cards
        {.key = "autonegotiation",
         .kind = "",
         .option = "link-autoneg",
         .way = SettingWay::ethtool,
         .risk = flap_negotiation,
         .words = truth,
         .read = read<&Link::ethernet, &E::autoneg>,
         .write = write<&Link::ethernet, &E::autoneg>},
        {.key = "speed",
         .kind = "",
         .option = "link-speed",
         .way = SettingWay::ethtool,
         .risk = flap_negotiation,
         .minimum = 10,
         .maximum = 1'600'000,
         .read = read<&Link::ethernet, &E::speed>,
         .write = write<&Link::ethernet, &E::speed>},
        {.key = "fec",
         .kind = "",
         .option = "link-fec",
         .way = SettingWay::ethtool,
         .risk = flap_negotiation,
         .words = {"auto", "off", "rs", "baser"},
         .read = read_fec,
         .write = write_fec},
        {.key = "rx_ring",
         .kind = "",
         .option = "",
         .way = SettingWay::ethtool,
         .risk = flap,
         .minimum = 1,
         .maximum = 65536,
         .read = read<&Link::ethernet, &E::rings, &Rings::rx>,
         .write = write<&Link::ethernet, &E::rings, &Rings::rx>},
        {.key = "tx_ring",
         .kind = "",
         .option = "",
         .way = SettingWay::ethtool,
         .risk = flap,
         .minimum = 1,
         .maximum = 65536,
         .read = read<&Link::ethernet, &E::rings, &Rings::tx>,
         .write = write<&Link::ethernet, &E::rings, &Rings::tx>},
        {.key = "rx_pause",
         .kind = "",
         .option = "",
         .way = SettingWay::ethtool,
         .risk = flap,
         .words = truth,
         .read = read<&Link::ethernet, &E::pause, &Pause::rx>,
         .write = write<&Link::ethernet, &E::pause, &Pause::rx>},
        {.key = "tx_pause",
         .kind = "",
         .option = "",
         .way = SettingWay::ethtool,
         .risk = flap,
         .words = truth,
         .read = read<&Link::ethernet, &E::pause, &Pause::tx>,
         .write = write<&Link::ethernet, &E::pause, &Pause::tx>},
        // virtual functions
        {.key = "vfs",
         .kind = "",
         .option = "sriov-numvfs",
         .way = SettingWay::sysfs,
         .risk = "virtual functions in use are taken away",
         .minimum = 0,
         .maximum = 1024,
         .read = read<&Link::num_vf>,
         .write = write_vfs},
        {.key = "vf.mac",
         .kind = "vf",
         .option = "",
         .read = read_vf<&Vf::address>,
         .write = write_vf<&Vf::address>},
        {.key = "vf.vlan",
         .kind = "vf",
         .option = "",
         .minimum = 0,
         .maximum = 4094,
         .read = read_vf_vlan,
         .write = write_vf_vlan},
        {.key = "vf.trust",
         .kind = "vf",
         .option = "",
         .words = truth,
         .read = read_vf<&Vf::trust>,
         .write = write_vf<&Vf::trust>},
        {.key = "vf.spoofchk",
         .kind = "vf",
         .option = "",
         .words = truth,
         .read = read_vf<&Vf::spoofchk>,
         .write = write_vf<&Vf::spoofchk>},
        {.key = "vf.node_guid",
         .kind = "vf",
         .option = "",
         .read = read_vf<&Vf::node_guid>,
         .write = write_vf<&Vf::node_guid>},
        {.key = "vf.port_guid",
         .kind = "vf",
         .option = "",
         .read = read_vf<&Vf::port_guid>,
         .write = write_vf<&Vf::port_guid>},
    };
    return rules;
}

}  // namespace

std::string_view SettingRule::name() const {
    const auto dot = key.find('.');
    return dot == key.npos ? key : key.substr(dot + 1);
}

Result<std::string> SettingRule::canonical(const std::string& value) const {
    const auto bad = [&](std::string hint) {
        return std::unexpected(Error{.code = ErrorCode::bad_request,
                                     .subject = std::string(name()),
                                     .message = fmt::format("\"{}\" is no value of it", value.substr(0, 80)),
                                     .hint = std::move(hint)});
    };
    if (!words.empty()) {
        if (std::ranges::find(words, value) == words.end())
            return bad(fmt::format("one of: {}", fmt::join(words, ", ")));
        return value;
    }
    if (minimum) {
        const auto number = parse_number<std::uint64_t>(value);
        if (!number || *number < *minimum || *number > *maximum)
            return bad(fmt::format("a number from {} to {}", *minimum, *maximum));
        return std::to_string(*number);
    }
    if (key == "vlans") {
        const auto membership = VlanMembership::parse(value);
        if (!membership) return bad(membership.error().hint);
        return membership->text();
    }
    if (key == "vf.mac" || key.ends_with("_guid")) {
        const auto address = HardwareAddress::parse(value);
        if (!address) return bad("as 00:11:22:33:44:55");
        return address->text();
    }
    if (value.find('\n') != value.npos || value.size() > 255) return bad("one line of at most 255 octets");
    return value;
}

std::span<const SettingRule> setting_rules() {
    return table();
}

const SettingRule* find_setting(std::string_view name, std::string_view kind) {
    const auto found = std::ranges::find_if(table(), [&](const SettingRule& rule) {
        return rule.name() == name && (rule.kind.empty() || rule.kind == kind);
    });
    return found == table().end() ? nullptr : &*found;
}

SettingKey::SettingKey(std::string_view key) {
    std::string plain(key);
    if (key.starts_with("vf.")) {
        const auto dot = key.find('.', 3);
        if (dot != key.npos) {
            const auto number = parse_number<std::uint32_t>(key.substr(3, dot - 3));
            if (!number) return;
            vf = *number;
            plain = "vf" + std::string(key.substr(dot));
        }
    }
    const auto found = std::ranges::find(table(), plain, &SettingRule::key);
    if (found != table().end()) rule = &*found;
}

}  // namespace pve_rdma
