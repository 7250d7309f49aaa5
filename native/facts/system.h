// The node around the cards: kernel, distribution, modules, packages, storage kinds, limits.
#pragma once

#include "base/describe.h"

namespace pve_rdma {

struct System {
    std::optional<std::string> hostname;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("hostname", self.hostname);
    }
    bool operator==(const System&) const = default;
};

}  // namespace pve_rdma
