// Virtual functions of a physical function, as its link reports them. Names and values are those of
// `ip -j -d link` (vfinfo_list), but for the two GUIDs, which `ip` names with a blank ("node guid").
// Source: IFLA_VF_* (linux/if_link.h).
#pragma once

#include "base/describe.h"
#include "facts/hardware_address.h"

namespace pve_rdma {

struct VfVlan {
    std::optional<std::uint32_t> vlan{};
    std::optional<std::uint32_t> qos{};
    std::optional<std::string> protocol{};  // 802.1ad; 802.1Q is not written

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("vlan", self.vlan);
        visit("qos", self.qos);
        visit("protocol", self.protocol);
    }
    bool operator==(const VfVlan&) const = default;
};

struct VfRate {
    std::uint32_t max_tx = 0;  // Mb/s; 0: no limit
    std::uint32_t min_tx = 0;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("max_tx", self.max_tx);
        visit("min_tx", self.min_tx);
    }
    bool operator==(const VfRate&) const = default;
};

struct Vf {
    std::uint32_t vf = 0;  // number
    std::optional<std::string> link_type{};
    std::optional<HardwareAddress> address{};
    std::optional<HardwareAddress> broadcast{};
    std::optional<std::vector<VfVlan>> vlan_list{};
    std::optional<std::uint32_t> vlan{};
    std::optional<std::uint32_t> qos{};
    std::optional<std::uint32_t> tx_rate{};  // Mb/s
    std::optional<VfRate> rate{};
    std::optional<bool> spoofchk{};
    std::optional<HardwareAddress> node_guid{};
    std::optional<HardwareAddress> port_guid{};
    std::optional<std::string> link_state{};  // auto, enable, disable
    std::optional<bool> trust{};
    std::optional<bool> query_rss_en{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("vf", self.vf);
        visit("link_type", self.link_type);
        visit("address", self.address);
        visit("broadcast", self.broadcast);
        visit("vlan_list", self.vlan_list);
        visit("vlan", self.vlan);
        visit("qos", self.qos);
        visit("tx_rate", self.tx_rate);
        visit("rate", self.rate);
        visit("spoofchk", self.spoofchk);
        visit("node_guid", self.node_guid);
        visit("port_guid", self.port_guid);
        visit("link_state", self.link_state);
        visit("trust", self.trust);
        visit("query_rss_en", self.query_rss_en);
    }
    bool operator==(const Vf&) const = default;
};

}  // namespace pve_rdma
