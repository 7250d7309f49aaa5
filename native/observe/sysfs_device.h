// The parts of the sysfs observer: one device, one port, its tables, counters and netdevs.
// Each fills only members that hold nothing yet.
#pragma once

#include "facts/report.h"
#include "observe/sysfs_reader.h"

namespace pve_rdma::sysfs {

// Device nodes of libibverbs and libibumad, from /sys/class/infiniband_verbs and infiniband_mad.
struct DeviceNodes {
    struct Node {
        std::string name;  // "umad0"
        std::string device;
        std::uint32_t port = 0;  // 0 for uverbs
    };
    std::vector<Node> uverbs, umad, issm;
    std::optional<std::uint32_t> uverbs_abi, umad_abi;
};
DeviceNodes read_device_nodes(const Machine&, Source&);

// `folder` is /sys/class/infiniband/NAME; `nodes` are this machine's. Takes what `report.pci` knows of the
// function.
void read_device(SysfsReader& folder, const DeviceNodes& nodes, NodeReport& report, RdmaDevice& device);

// `folder` is .../ports/N.
void read_port(SysfsReader& folder, Port& port);
void read_gids(SysfsReader& folder, Port& port);
void read_pkeys(SysfsReader& folder, Port& port);
void read_counters(SysfsReader& folder, Port& port);

// Which netdevs stand on which port: device/net/* by type and port number, GID table entries, P_Key children.
void read_netdevs(SysfsReader& folder, const NodeReport& report, RdmaDevice& device);

// /sys/class/net, for trees where no netlink can be asked.
void read_links(const Machine&, Source&, NodeReport&);

// The last component of a path that is a PCI address ("0000:82:00.0"); nullopt when none is.
std::optional<std::string> pci_address_in(std::string_view path);

}  // namespace pve_rdma::sysfs
