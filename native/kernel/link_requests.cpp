#include <algorithm>

#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "base/number.h"
#include "base/pkey.h"
#include "facts/setting_words.h"
#include "kernel/requests.h"
#include "kernel/vf_attributes.h"

namespace pve_rdma {

namespace {

NetlinkRequest link_request(std::uint16_t type, std::uint16_t flags, std::uint32_t index) {
    ifinfomsg header{};
    header.ifi_index = static_cast<int>(index);
    return NetlinkRequest(type, flags).header(header);
}

std::uint32_t number_in(const std::string& value) {
    return parse_number<std::uint32_t>(value).value_or(value == "true" ? 1 : 0);
}

// How the settings of a kind of link stand in IFLA_INFO_DATA.
struct DataAttribute {
    std::string_view key;
    std::uint16_t type;
    void (*put)(NetlinkRequest&, std::uint16_t type, const std::string& value, const IndexOf&);
};

template <class T>
void number(NetlinkRequest& data, std::uint16_t type, const std::string& value, const IndexOf&) {
    data.bytes_of(type, static_cast<T>(number_in(value)));
}
template <class T, const auto& words>
void word(NetlinkRequest& data, std::uint16_t type, const std::string& value, const IndexOf&) {
    data.bytes_of(type, static_cast<T>(number_of_word(words, value).value_or(0)));
}
void name(NetlinkRequest& data, std::uint16_t type, const std::string& value, const IndexOf& index_of) {
    data.number(type, value.empty() ? 0 : index_of(value));
}

constexpr DataAttribute data_attributes[]{
    {"ipoib.mode", IFLA_IPOIB_MODE, word<std::uint16_t, ipoib_mode_words>},
    // The mode first, and MII monitoring before the delays: the kernel takes them in this order.
    {"bond.mode", IFLA_BOND_MODE, word<std::uint8_t, bond_mode_words>},
    {"bond.miimon", IFLA_BOND_MIIMON, number<std::uint32_t>},
    {"bond.updelay", IFLA_BOND_UPDELAY, number<std::uint32_t>},
    {"bond.downdelay", IFLA_BOND_DOWNDELAY, number<std::uint32_t>},
    {"bond.primary", IFLA_BOND_PRIMARY, name},
    {"bond.fail_over_mac", IFLA_BOND_FAIL_OVER_MAC, word<std::uint8_t, fail_over_mac_words>},
    {"bond.hash_policy", IFLA_BOND_XMIT_HASH_POLICY, word<std::uint8_t, hash_policy_words>},
    {"bond.lacp_rate", IFLA_BOND_AD_LACP_RATE, word<std::uint8_t, lacp_rate_words>},
    {"bond.min_links", IFLA_BOND_MIN_LINKS, number<std::uint32_t>},
    {"bridge.stp", IFLA_BR_STP_STATE, number<std::uint32_t>},
    {"bridge.vlan_aware", IFLA_BR_VLAN_FILTERING, number<std::uint8_t>},
};

void put_alias(NetlinkRequest& request, const std::string& alias) {
    request.octets(IFLA_IFALIAS, std::as_bytes(std::span(alias)));  // without a NUL: empty takes it away
}

}  // namespace

NetlinkRequest make_link_request(const LinkEntry& link, const IndexOf& index_of) {
    NetlinkRequest request = link_request(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, 0);
    request.text(IFLA_IFNAME, link.name);
    if (link.parent) request.number(IFLA_LINK, index_of(*link.parent));
    request.nested(IFLA_LINKINFO, [&](NetlinkRequest& info) {
        info.text(IFLA_INFO_KIND, link.kind);
        info.nested(IFLA_INFO_DATA, [&](NetlinkRequest& data) {
            if (link.id) data.bytes_of(IFLA_VLAN_ID, static_cast<std::uint16_t>(*link.id));
            if (link.pkey)
                if (const auto pkey = PKey::parse(*link.pkey)) data.bytes_of(IFLA_IPOIB_PKEY, pkey->value);
            for (const auto& attribute : data_attributes)
                if (const auto found = link.settings.find(std::string(attribute.key));
                    found != link.settings.end())
                    attribute.put(data, attribute.type, found->second, index_of);
        });
    });
    return request;
}

NetlinkRequest delete_link_request(std::uint32_t index) {
    return link_request(RTM_DELLINK, 0, index);
}

NetlinkRequest mtu_request(std::uint32_t index, std::uint32_t mtu) {
    return link_request(RTM_NEWLINK, 0, index).number(IFLA_MTU, mtu);
}

NetlinkRequest up_request(std::uint32_t index, bool up) {
    ifinfomsg header{};
    header.ifi_index = static_cast<int>(index);
    header.ifi_flags = up ? IFF_UP : 0;
    header.ifi_change = IFF_UP;
    return NetlinkRequest(RTM_NEWLINK, 0).header(header);
}

NetlinkRequest setting_request(const Link& link, const SettingKey& setting, const std::string& value,
                               const IndexOf& index_of) {
    const auto key = setting.rule->key;
    if (key == "mtu") return mtu_request(link.ifindex, number_in(value));
    if (key == "up") return up_request(link.ifindex, value == "true");
    NetlinkRequest request = link_request(RTM_NEWLINK, 0, link.ifindex);
    if (key == "master") {
        request.number(IFLA_MASTER, value.empty() ? 0 : index_of(value));
    } else if (key == "alias") {
        put_alias(request, value);
    } else if (setting.rule->kind == "vf") {
        put_vf_attribute(request, link, setting, value);
    } else {
        const auto found = std::ranges::find(data_attributes, key, &DataAttribute::key);
        request.nested(IFLA_LINKINFO, [&](NetlinkRequest& info) {
            info.text(IFLA_INFO_KIND, setting.rule->kind);
            info.nested(IFLA_INFO_DATA, [&](NetlinkRequest& data) {
                if (found != std::end(data_attributes)) found->put(data, found->type, value, index_of);
            });
        });
    }
    return request;
}

}  // namespace pve_rdma
