// devlink devices (devlink(8)): driver information, ports, parameters, e-switch mode, health.
#pragma once

#include "base/describe.h"

namespace pve_rdma {

struct DevlinkDevice {
    std::string handle;  // "pci/0000:01:00.0"

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("handle", self.handle);
    }
    bool operator==(const DevlinkDevice&) const = default;
};

}  // namespace pve_rdma
