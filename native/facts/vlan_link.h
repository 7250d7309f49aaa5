// VLAN links. Names and values are those of `ip -j -d link` (kind vlan). Source: IFLA_VLAN_*
// (linux/if_link.h).
#pragma once

#include "base/describe.h"

namespace pve_rdma {

struct QosMapping {
    std::uint32_t from = 0;
    std::uint32_t to = 0;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("from", self.from);
        visit("to", self.to);
    }
    bool operator==(const QosMapping&) const = default;
};

struct Vlan {
    std::optional<std::string> protocol{};  // 802.1Q, 802.1ad
    std::optional<std::uint32_t> id{};
    std::vector<std::string> flags{};  // REORDER_HDR, GVRP, MVRP, LOOSE_BINDING, BRIDGE_BINDING
    std::vector<QosMapping> ingress_qos{};
    std::vector<QosMapping> egress_qos{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("protocol", self.protocol);
        visit("id", self.id);
        visit("flags", self.flags);
        visit("ingress_qos", self.ingress_qos);
        visit("egress_qos", self.egress_qos);
    }
    bool operator==(const Vlan&) const = default;
};

}  // namespace pve_rdma
