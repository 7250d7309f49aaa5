#include "observe/sysfs_device.h"

namespace pve_rdma::sysfs {

void read_links(const Machine& machine, Source& source, NodeReport& report) {
    SysfsReader folder(machine, source, "/sys/class/net");
    for (const auto& name : folder.list("")) {
        SysfsReader below = folder.object(name);
        const auto ifindex = below.number("ifindex", INT32_MAX);
        if (!ifindex) continue;  // bonding_masters is a file
        Link& link = report.links.emplace_back();
        link.ifindex = static_cast<std::uint32_t>(*ifindex);
        link.ifname = name;
    }
}

}  // namespace pve_rdma::sysfs
