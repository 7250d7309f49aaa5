// What the subnet says: the attributes of subnet management, administration and performance management.
// Sources: IBA vol. 1, 14.2.5 (SMPs), 15.2.5 (SA), 16.1.3 (PMA).
#pragma once

#include "base/describe.h"
#include "base/guid.h"
#include "base/pkey.h"

namespace pve_rdma {

struct SmInfo {
    std::uint32_t lid = 0;  // where the answer came from
    Guid guid;
    std::uint32_t activity = 0, priority = 0;
    std::string state;  // NOTACTIVE, DISCOVERING, STANDBY, MASTER

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("lid", self.lid);
        visit("guid", self.guid);
        visit("activity", self.activity);
        visit("priority", self.priority);
        visit("state", self.state);
    }
    bool operator==(const SmInfo&) const = default;
};

// Answers to the MADs that a probe sends from one port.
struct SubnetView {
    std::optional<SmInfo> sm;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("sm", self.sm);
    }
    bool operator==(const SubnetView&) const = default;
};

}  // namespace pve_rdma
