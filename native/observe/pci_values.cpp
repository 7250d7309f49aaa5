#include "observe/pci_values.h"

#include <algorithm>
#include <cmath>

#include "base/number.h"
#include "observe/sysfs_values.h"

namespace pve_rdma {

namespace {

constexpr std::size_t capabilities_pointer = 0x34;
constexpr std::uint8_t pci_express_capability = 0x10;
constexpr int max_capabilities = 48;  // more than fit into 256 octets: a longer list is a loop

std::uint32_t octet(std::string_view data, std::size_t at) {
    return static_cast<unsigned char>(data[at]);
}
std::uint32_t word(std::string_view data, std::size_t at) {
    return octet(data, at) | octet(data, at + 1) << 8;
}

std::optional<std::size_t> capability(const PartReader& config, std::uint32_t id) {
    constexpr std::uint32_t status_has_list = 0x10;
    const std::string status = config(6, 1), first = config(capabilities_pointer, 1);
    if (status.empty() || first.empty() || !(octet(status, 0) & status_has_list)) return std::nullopt;
    std::size_t at = octet(first, 0) & 0xfc;
    for (int i = 0; i < max_capabilities && at >= 0x40; ++i) {
        const std::string header = config(at, 2);
        if (header.size() < 2) break;
        if (octet(header, 0) == id) return at;
        at = octet(header, 1) & 0xfc;
    }
    return std::nullopt;
}

// Text fields are padded with spaces or NUL.
std::string field(std::string_view text) {
    const auto end = text.find_last_not_of(std::string_view(" \t\r\n\0", 5));
    return printable(text.substr(0, end == std::string_view::npos ? 0 : end + 1));
}

void read_keywords(std::string_view data, PciVpd& vpd) {
    while (data.size() >= 3) {
        const auto keyword = data.substr(0, 2);
        const std::size_t length = octet(data, 2);
        data.remove_prefix(3);
        if (length > data.size()) return;
        const auto value = data.substr(0, length);
        data.remove_prefix(length);
        auto* out = keyword == "PN"   ? &vpd.part_number
                    : keyword == "EC" ? &vpd.engineering_change
                    : keyword == "SN" ? &vpd.serial_number
                                      : nullptr;
        if (out && !*out) *out = field(value);
    }
}

}  // namespace

std::optional<double> parse_link_speed(std::string_view text) {
    const auto unit = text.find(" GT/s");
    if (unit == std::string_view::npos) return std::nullopt;
    double speed = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + unit, speed);
    if (failure != std::errc{} || end != text.data() + unit || !std::isfinite(speed) || speed <= 0)
        return std::nullopt;
    return speed;
}

double link_bandwidth(double speed_gts, std::uint32_t width) {
    const double coding = speed_gts <= 5 ? 8.0 / 10 : speed_gts <= 32 ? 128.0 / 130 : 1;
    return std::round(speed_gts * coding * width * 100) / 100;
}

std::optional<PcieControl> read_pcie_control(const PartReader& config) {
    constexpr std::size_t device_capabilities = 4, device_control = 8, link_control = 16;
    const auto at = capability(config, pci_express_capability);
    if (!at) return std::nullopt;
    const std::string device = config(*at + device_capabilities, 6), link = config(*at + link_control, 2);
    if (device.size() < 6 || link.size() < 2) return std::nullopt;
    const auto control = word(device, device_control - device_capabilities);
    const auto size = [](std::uint32_t code) { return 128u << code; };
    constexpr const char* aspm[] = {"disabled", "L0s", "L1", "L0s L1"};
    return PcieControl{.max_payload_size = size(control >> 5 & 7),
                       .max_payload_size_supported = size(word(device, 0) & 7),
                       .max_read_request_size = size(control >> 12 & 7),
                       .aspm = aspm[word(link, 0) & 3]};
}

PciVpd parse_vpd(std::string_view data) {
    constexpr std::uint32_t large = 0x80, identifier = 0x82, read_only = 0x90, read_write = 0x91,
                            end_tag = 0x78;
    PciVpd vpd;
    while (!data.empty()) {
        const auto tag = octet(data, 0);
        std::size_t length = tag & 7, header = 1;
        if (tag & large) {
            if (data.size() < 3) break;
            length = word(data, 1);
            header = 3;
        }
        if ((tag & 0xf8) == end_tag || header + length > data.size()) break;
        const auto content = data.substr(header, length);
        if (tag == identifier) vpd.name = field(content);
        if (tag == read_only || tag == read_write) read_keywords(content, vpd);
        data.remove_prefix(header + length);
    }
    return vpd;
}

void find_slowest_link(PciDevice& device) {
    const PciLink* slowest = nullptr;
    for (const auto& link : device.links) {
        if (!link.bandwidth_gbps) continue;
        // Both ends of one link show the same speed: name the end that can do no more.
        const bool same = slowest && *link.bandwidth_gbps == *slowest->bandwidth_gbps;
        const bool at_its_best = link.max_bandwidth_gbps && *link.max_bandwidth_gbps <= *link.bandwidth_gbps;
        const bool slowest_at_its_best = slowest && slowest->max_bandwidth_gbps &&
                                         *slowest->max_bandwidth_gbps <= *slowest->bandwidth_gbps;
        if (!slowest || *link.bandwidth_gbps < *slowest->bandwidth_gbps ||
            (same && at_its_best && !slowest_at_its_best))
            slowest = &link;
    }
    if (!slowest) return;
    device.bandwidth_gbps = slowest->bandwidth_gbps;
    const auto& best = device.links.front().max_bandwidth_gbps;
    if (best && *slowest->bandwidth_gbps < *best) device.limited_by = slowest->address;
}

}  // namespace pve_rdma
