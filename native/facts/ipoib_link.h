// IP over InfiniBand interfaces. Names and values are those of `ip -j -d link` (kind ipoib); the parent of a
// P_Key child is Link.link. Source: IFLA_IPOIB_* (linux/if_link.h).
#pragma once

#include "base/describe.h"
#include "base/pkey.h"

namespace pve_rdma {

struct Ipoib {
    std::optional<std::string> key{};     // the P_Key, 0xffff; `ip` names it so
    std::optional<std::string> mode{};    // datagram, connected
    std::optional<std::string> umcast{};  // 0000, 0001: takes user-space multicast joins

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("key", self.key);
        visit("mode", self.mode);
        visit("umcast", self.umcast);
    }
    bool operator==(const Ipoib&) const = default;
};

}  // namespace pve_rdma
