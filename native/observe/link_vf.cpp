#include <linux/if_arp.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>

#include "observe/link_kinds.h"
#include "observe/link_words.h"
#include "observe/netlink_table.h"

namespace pve_rdma {

namespace {

constexpr Words<3> link_states{"auto", "enable", "disable"};

// The payload starts with the function's number; what follows it is the setting.
template <class Payload, class Set>
bool with(Octets octets, Set&& set) {
    const auto payload = payload_as<Payload>(octets);
    if (payload) set(*payload);
    return payload.has_value();
}

// Drivers that do not know a setting report it as all ones.
template <auto member, class Payload>
bool switched(Octets octets, Vf& vf) {
    return with<Payload>(octets, [&](const Payload& payload) {
        if (payload.setting != 0xffffffffU) vf.*member = payload.setting != 0;
    });
}

template <auto member>
bool guid(Octets octets, Vf& vf) {
    return with<ifla_vf_guid>(octets, [&](const ifla_vf_guid& payload) {
        const std::uint64_t in_network_order = htobe64(payload.guid);
        auto& address = (vf.*member).emplace();
        address.length = sizeof in_network_order;
        std::memcpy(address.octets.data(), &in_network_order, sizeof in_network_order);
    });
}

bool vlan_list(Octets octets, Vf& vf) {
    auto& list = vf.vlan_list.emplace();
    bool good = true;
    const bool whole = for_each_attribute(octets, [&](const NetlinkAttribute& entry) {
        good &= with<ifla_vf_vlan_info>(entry.payload, [&](const ifla_vf_vlan_info& info) {
            VfVlan vlan;
            if (info.vlan) vlan.vlan = info.vlan;
            if (info.qos) vlan.qos = info.qos;
            if (info.vlan_proto && be16toh(info.vlan_proto) != ETH_P_8021Q)
                vlan.protocol =
                    be16toh(info.vlan_proto) == ETH_P_8021AD ? "802.1ad" : hex_text(be16toh(info.vlan_proto));
            list.push_back(vlan);
        });
    });
    return whole && good;
}

// MAC addresses come in 32 octets; the link's type says how many of them count.
bool vf_address(Octets octets, Vf& vf) {
    return with<ifla_vf_mac>(octets, [&](const ifla_vf_mac& payload) {
        vf.vf = payload.vf;
        std::memcpy(vf.address.emplace().octets.data(), payload.mac, sizeof payload.mac);
    });
}

bool vf_broadcast(Octets octets, Vf& vf) {
    return with<ifla_vf_broadcast>(octets, [&](const ifla_vf_broadcast& payload) {
        std::memcpy(vf.broadcast.emplace().octets.data(), payload.broadcast, sizeof payload.broadcast);
    });
}

bool vf_vlan(Octets octets, Vf& vf) {
    return with<ifla_vf_vlan>(octets, [&](const ifla_vf_vlan& payload) {
        if (payload.vlan) vf.vlan = payload.vlan;
        if (payload.qos) vf.qos = payload.qos;
    });
}

bool vf_tx_rate(Octets octets, Vf& vf) {
    return with<ifla_vf_tx_rate>(octets, [&](const ifla_vf_tx_rate& payload) {
        if (payload.rate) vf.tx_rate = payload.rate;
    });
}

bool vf_rate(Octets octets, Vf& vf) {
    return with<ifla_vf_rate>(octets, [&](const ifla_vf_rate& payload) {
        vf.rate = VfRate{payload.max_tx_rate, payload.min_tx_rate};
    });
}

bool vf_link_state(Octets octets, Vf& vf) {
    return with<ifla_vf_link_state>(octets, [&](const ifla_vf_link_state& payload) {
        vf.link_state = word_of(link_states, payload.link_state);
    });
}

constexpr AttributeTable<Vf, IFLA_VF_MAX + 1> vf_table{
    {IFLA_VF_MAC, vf_address},
    {IFLA_VF_BROADCAST, vf_broadcast},
    {IFLA_VF_VLAN, vf_vlan},
    {IFLA_VF_VLAN_LIST, vlan_list},
    {IFLA_VF_TX_RATE, vf_tx_rate},
    {IFLA_VF_RATE, vf_rate},
    {IFLA_VF_SPOOFCHK, switched<&Vf::spoofchk, ifla_vf_spoofchk>},
    {IFLA_VF_LINK_STATE, vf_link_state},
    {IFLA_VF_RSS_QUERY_EN, switched<&Vf::query_rss_en, ifla_vf_rss_query_en>},
    {IFLA_VF_TRUST, switched<&Vf::trust, ifla_vf_trust>},
    {IFLA_VF_IB_NODE_GUID, guid<&Vf::node_guid>},
    {IFLA_VF_IB_PORT_GUID, guid<&Vf::port_guid>},
};

void keep_octets(std::optional<HardwareAddress>& address, std::uint8_t length) {
    if (!address) return;
    address->length = length;
    std::fill(address->octets.begin() + length, address->octets.end(), std::uint8_t{0});
}

}  // namespace

Malformed decode_vfs(Octets list, std::uint16_t link_type, std::vector<Vf>& vfs) {
    const std::uint8_t length = link_type == ARPHRD_INFINIBAND ? 20 : ETH_ALEN;
    Malformed bad;
    const bool whole = for_each_attribute(list, [&](const NetlinkAttribute& attribute) {
        if (attribute.type != IFLA_VF_INFO) return;
        auto& vf = vfs.emplace_back();
        if (const auto wrong = vf_table.decode(attribute.payload, vf); wrong && !bad) bad = wrong;
        vf.link_type = link_type_word(link_type);
        keep_octets(vf.address, length);
        keep_octets(vf.broadcast, length);
        if (vf.vlan_list) {  // says the same and more
            vf.vlan.reset();
            vf.qos.reset();
        }
    });
    return whole ? bad : Malformed{0xffff};
}

}  // namespace pve_rdma
