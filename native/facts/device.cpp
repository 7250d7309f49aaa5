#include "facts/device.h"

#include <algorithm>

namespace pve_rdma {

Port* RdmaDevice::find_port(std::uint32_t number) {
    const auto found = std::ranges::find(ports, number, &Port::number);
    return found == ports.end() ? nullptr : &*found;
}

}  // namespace pve_rdma
