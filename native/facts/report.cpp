#include "facts/report.h"

#include <algorithm>

namespace pve_rdma {

RdmaDevice* NodeReport::find_device(const std::string& name) {
    const auto found = std::ranges::find(devices, name, &RdmaDevice::name);
    return found == devices.end() ? nullptr : &*found;
}

std::set<Guid> NodeReport::port_guids() const {
    std::set<Guid> guids;
    for (const auto& device : devices)
        for (const auto& port : device.ports)
            if (port.port_guid) guids.insert(*port.port_guid);
    return guids;
}

Link* NodeReport::find_link(std::uint32_t ifindex) {
    const auto found = std::ranges::find(links, ifindex, &Link::ifindex);
    return found == links.end() ? nullptr : &*found;
}

const Link* NodeReport::find_link(const std::string& name) const {
    const auto found = std::ranges::find(links, name, &Link::ifname);
    return found == links.end() ? nullptr : &*found;
}

}  // namespace pve_rdma
