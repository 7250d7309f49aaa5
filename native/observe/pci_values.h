// What PCI files hold: pure functions of their text and octets.
// Sources: Documentation/ABI/testing/sysfs-bus-pci; PCI Express Base Specification 7.5.3; PCI Local Bus
// Specification 3.0 section 6.7 (capability list) and appendix I (VPD).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "facts/pci.h"
#include "observe/pci_ids.h"

namespace pve_rdma {

// "8.0 GT/s PCIe", "8 GT/s" -> 8; nullopt for "Unknown" and the like.
std::optional<double> parse_link_speed(std::string_view text);

// Gb/s in one direction after line coding: 8b/10b up to 5 GT/s, 128b/130b up to 32, none above (as the kernel
// counts, include/linux/pci.h). Packet headers are not taken off.
double link_bandwidth(double speed_gts, std::uint32_t width);

// Of the PCI Express capability in configuration space, of which only what is needed is read: each access
// goes to the device. nullopt when there is none, or `config` ends before it (users other than root get 64
// octets).
struct PcieControl {
    std::uint32_t max_payload_size = 0, max_payload_size_supported = 0, max_read_request_size = 0;  // octets
    std::string aspm;  // "disabled", "L0s", "L1", "L0s L1"
};
std::optional<PcieControl> read_pcie_control(const PartReader& config);

// Vital product data. Fields that a broken image lacks are absent; it never reads beyond `vpd`.
PciVpd parse_vpd(std::string_view vpd);

// Fills limited_by and bandwidth_gbps from `links`.
void find_slowest_link(PciDevice&);

}  // namespace pve_rdma
