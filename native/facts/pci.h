// PCI functions of network and RDMA cards, and the path above them.
#pragma once

#include "base/describe.h"

namespace pve_rdma {

struct PciDevice {
    std::string address;  // "0000:01:00.0"

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("address", self.address);
    }
    bool operator==(const PciDevice&) const = default;
};

}  // namespace pve_rdma
