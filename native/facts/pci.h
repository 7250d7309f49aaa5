// PCI functions of network and RDMA cards, and the path above them.
// Sources: Documentation/ABI/testing/sysfs-bus-pci; PCI Express Base Specification 7.5.3 (capability);
// PCI Local Bus Specification 3.0, appendix I (VPD).
#pragma once

#include "base/describe.h"

namespace pve_rdma {

// A PCI Express link as seen from its lower end: the function, or a bridge above it.
struct PciLink {
    std::string address;                                       // "0000:01:00.0"
    std::optional<double> current_speed_gts, max_speed_gts;    // GT/s a lane: 2.5, 5, 8, 16, 32, 64
    std::optional<std::uint32_t> current_width, max_width;     // lanes
    std::optional<double> bandwidth_gbps, max_bandwidth_gbps;  // one direction, after line coding

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("address", self.address);
        visit("current_speed_gts", self.current_speed_gts);
        visit("current_width", self.current_width);
        visit("max_speed_gts", self.max_speed_gts);
        visit("max_width", self.max_width);
        visit("bandwidth_gbps", self.bandwidth_gbps);
        visit("max_bandwidth_gbps", self.max_bandwidth_gbps);
    }
    bool operator==(const PciLink&) const = default;
};

// Vital product data: what the card's maker wrote on it.
struct PciVpd {
    std::optional<std::string> name, part_number, engineering_change;
    std::optional<std::string> serial_number;  // only when it was asked for

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name);
        visit("part_number", self.part_number);
        visit("engineering_change", self.engineering_change);
        visit("serial_number", self.serial_number);
    }
    bool operator==(const PciVpd&) const = default;
};

struct PciDevice {
    std::string address;  // domain:bus:device.function, "0000:01:00.0"
    std::optional<std::uint32_t> vendor_id, device_id, subsystem_vendor_id, subsystem_device_id;
    std::optional<std::uint32_t> class_code;  // base class, subclass, interface: 0x020700 is InfiniBand
    std::optional<std::uint32_t> revision;
    std::optional<std::string> vendor_name, device_name;  // from pci.ids
    std::optional<std::string> driver;
    std::optional<int> numa_node;  // -1: the firmware names none
    std::optional<std::string> local_cpulist;
    std::optional<std::uint32_t> iommu_group;
    std::vector<PciLink> links;  // the function's own link first, then every bridge up to the root port
    std::optional<std::string> limited_by;  // address in `links` of the slowest one, when it is below what
                                            // the function could do
    std::optional<double> bandwidth_gbps;   // of that slowest link
    std::optional<std::uint32_t> sriov_totalvfs, sriov_numvfs;
    std::vector<std::string> virtual_functions;     // addresses
    std::optional<std::string> physical_function;   // address; set on a virtual function
    std::map<std::string, std::string> port_types;  // mlx4_port1 -> ib, eth, auto
    std::vector<std::string> netdevs, rdma_devices;
    std::optional<PciVpd> vpd;
    std::optional<std::uint32_t> max_payload_size, max_payload_size_supported;  // octets
    std::optional<std::uint32_t> max_read_request_size;                         // octets
    std::optional<std::string> aspm;  // what is on: "disabled", "L0s", "L1", "L0s L1"

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("address", self.address);
        visit("vendor_id", self.vendor_id);
        visit("device_id", self.device_id);
        visit("subsystem_vendor_id", self.subsystem_vendor_id);
        visit("subsystem_device_id", self.subsystem_device_id);
        visit("class_code", self.class_code);
        visit("revision", self.revision);
        visit("vendor_name", self.vendor_name);
        visit("device_name", self.device_name);
        visit("driver", self.driver);
        visit("numa_node", self.numa_node);
        visit("local_cpulist", self.local_cpulist);
        visit("iommu_group", self.iommu_group);
        visit("links", self.links);
        visit("limited_by", self.limited_by);
        visit("bandwidth_gbps", self.bandwidth_gbps);
        visit("sriov_totalvfs", self.sriov_totalvfs);
        visit("sriov_numvfs", self.sriov_numvfs);
        visit("virtual_functions", self.virtual_functions);
        visit("physical_function", self.physical_function);
        visit("port_types", self.port_types);
        visit("netdevs", self.netdevs);
        visit("rdma_devices", self.rdma_devices);
        visit("vpd", self.vpd);
        visit("max_payload_size", self.max_payload_size);
        visit("max_payload_size_supported", self.max_payload_size_supported);
        visit("max_read_request_size", self.max_read_request_size);
        visit("aspm", self.aspm);
    }
    bool operator==(const PciDevice&) const = default;
};

}  // namespace pve_rdma
