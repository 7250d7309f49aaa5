// What PCI files hold: pure functions of their text and octets.
// Sources: Documentation/ABI/testing/sysfs-bus-pci; PCI Express Base Specification 7.5.3; PCI Local Bus
// Specification 3.0 section 6.7 (capability list) and appendix I (VPD); pci.ids(5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "facts/pci.h"

namespace pve_rdma {

// "8.0 GT/s PCIe", "8 GT/s" -> 8; nullopt for "Unknown" and the like.
std::optional<double> parse_link_speed(std::string_view text);

// Gb/s in one direction after line coding: 8b/10b up to 5 GT/s, 128b/130b up to 32, none above (as the kernel
// counts, include/linux/pci.h). Packet headers are not taken off.
double link_bandwidth(double speed_gts, std::uint32_t width);

// Of the PCI Express capability in configuration space; nullopt when there is none in `config`, or `config`
// ends before it (users other than root get 64 octets).
struct PcieControl {
    std::uint32_t max_payload_size = 0, max_payload_size_supported = 0, max_read_request_size = 0;  // octets
    std::string aspm;  // "disabled", "L0s", "L1", "L0s L1"
};
std::optional<PcieControl> parse_pcie_config(std::string_view config);

// Vital product data. Fields that a broken image lacks are absent; it never reads beyond `vpd`.
PciVpd parse_vpd(std::string_view vpd);

// Sets vendor_name and device_name of `devices` from the text of pci.ids, in one pass.
void name_devices(std::string_view ids, std::vector<PciDevice>& devices);

// Fills limited_by and bandwidth_gbps from `links`.
void find_slowest_link(PciDevice&);

}  // namespace pve_rdma
