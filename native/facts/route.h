// Routes and policy rules. Names and values are those of `ip -j route` and `ip -j rule`.
#pragma once

#include "base/describe.h"

namespace pve_rdma {

struct Route {
    std::string dst;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("dst", self.dst);
    }
    bool operator==(const Route&) const = default;
};

struct Rule {
    std::uint32_t priority = 0;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("priority", self.priority);
    }
    bool operator==(const Rule&) const = default;
};

}  // namespace pve_rdma
