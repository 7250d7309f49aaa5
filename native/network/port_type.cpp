#include "network/port_type.h"

#include <algorithm>

#include <fmt/format.h>

namespace pve_rdma {

namespace {

constexpr std::string_view prefix = "port_type.";

// DOMAIN:BUS:DEVICE.FUNCTION of hexadecimal digits: it becomes a part of a path.
bool is_pci_address(std::string_view text) {
    constexpr std::string_view shape = "0000:00:00.0";
    return text.size() == shape.size() && std::ranges::equal(text, shape, [](char c, char like) {
               const bool digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
               return like == '0' ? digit : c == like;
           });
}

}  // namespace

std::string PortTypeName::text() const {
    return fmt::format("{}{}.{}", prefix, pci, port);
}

std::string PortTypeName::attribute() const {
    return fmt::format("mlx4_port{}", port);
}

std::string PortTypeName::path() const {
    return fmt::format("/sys/bus/pci/devices/{}/{}", pci, attribute());
}

std::optional<PortTypeName> PortTypeName::parse(std::string_view text) {
    if (!text.starts_with(prefix) || text.size() < prefix.size() + 3) return std::nullopt;
    text.remove_prefix(prefix.size());
    const std::string_view pci = text.substr(0, text.size() - 2), port = text.substr(text.size() - 2);
    if (!is_pci_address(pci) || (port != ".1" && port != ".2")) return std::nullopt;
    return PortTypeName{std::string(pci), static_cast<std::uint32_t>(port[1] - '0')};
}

std::string port_type_value(std::string_view text) {
    return std::string(text.substr(0, text.find_first_of(" \n")));
}

}  // namespace pve_rdma
