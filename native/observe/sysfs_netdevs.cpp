#include <algorithm>

#include "observe/sysfs_device.h"

namespace pve_rdma::sysfs {

namespace {

constexpr std::uint64_t arphrd_infiniband = 32;  // linux/if_arp.h

struct Netdev {
    std::string name;
    bool infiniband = false;
    bool child = false;       // a P_Key interface on top of another
    std::uint64_t index = 0;  // port number - 1
    std::optional<std::uint32_t> ifindex;
};

// dev_port is the port's index since Linux 3.15; before, and in IPoIB still, dev_id is.
Netdev read_netdev(SysfsReader folder, const std::string& name) {
    Netdev netdev;
    netdev.name = name;
    netdev.infiniband = folder.number("type") == arphrd_infiniband;
    netdev.index = std::max(folder.number("dev_port").value_or(0), folder.number("dev_id").value_or(0));
    netdev.child = netdev.infiniband && folder.machine().exists(folder.folder() + "/parent");
    folder.fill(netdev.ifindex, "ifindex");
    return netdev;
}

void add(Port& port, const std::string& name) {
    if (std::ranges::find(port.netdevs, name) == port.netdevs.end()) port.netdevs.push_back(name);
}

// P_Key interfaces made over rtnetlink stand in no folder of the device; rtnetlink names their parent.
void add_children(const std::vector<Link>& links, Port& port) {
    for (const auto& link : links)
        if (link.ipoib && link.link && std::ranges::find(port.netdevs, *link.link) != port.netdevs.end())
            add(port, link.ifname);
}

void read_device_folder(SysfsReader& folder, RdmaDevice& device) {
    std::vector<Netdev> netdevs;
    for (const auto& name : folder.list("device/net"))
        netdevs.push_back(read_netdev(folder.object("device/net/" + name), name));
    std::ranges::stable_sort(netdevs, {}, &Netdev::child);
    for (auto& port : device.ports) {
        const bool infiniband = port.link_layer == "InfiniBand";
        // A RoCE port of a bond belongs to the bond: its first GID says so.
        if (!port.netdev && !port.gids.empty() && port.gids.front().index == 0)
            port.netdev = port.gids.front().netdev;
        for (const auto& netdev : netdevs) {
            if (netdev.infiniband != infiniband) continue;
            if (device.ports.size() > 1 && netdev.index + 1 != port.number) continue;
            add(port, netdev.name);
            if (!port.netdev) port.netdev = netdev.name;
            if (!port.ifindex && port.netdev == netdev.name) port.ifindex = netdev.ifindex;
        }
    }
}

}  // namespace

void read_netdevs(SysfsReader& folder, const NodeReport& report, RdmaDevice& device) {
    for (auto& port : device.ports) {
        if (!port.netdev && port.ifindex)
            for (const auto& link : report.links)
                if (link.ifindex == *port.ifindex) port.netdev = link.ifname;
        if (port.netdev) add(port, *port.netdev);
        for (const auto& gid : port.gids)
            if (gid.netdev) add(port, *gid.netdev);
    }
    // What netlink names is complete for RoCE and iWARP; IPoIB it never names.
    if (!std::ranges::all_of(device.ports, [](const Port& port) { return port.netdev.has_value(); }))
        read_device_folder(folder, device);
    for (auto& port : device.ports)
        add_children(report.links, port);
}

}  // namespace pve_rdma::sysfs
