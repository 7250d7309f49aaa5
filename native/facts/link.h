// Network links and their addresses. Names and values are those of `ip -j -d link` and `ip -j address`.
#pragma once

#include "base/describe.h"

namespace pve_rdma {

struct Link {
    std::uint32_t ifindex = 0;
    std::string ifname;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("ifindex", self.ifindex);
        visit("ifname", self.ifname);
    }
    bool operator==(const Link&) const = default;
};

struct Address {
    std::uint32_t ifindex = 0;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("ifindex", self.ifindex);
    }
    bool operator==(const Address&) const = default;
};

}  // namespace pve_rdma
