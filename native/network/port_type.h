// What a port of a ConnectX-3 card speaks: InfiniBand, Ethernet, or what the other end does (mlx4_port1 and
// mlx4_port2 below the card's PCI function; drivers/net/ethernet/mellanox/mlx4/main.c). To a change it is one
// more value of the kernel with a name, as a sysctl is: "port_type.0000:03:00.0.1".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pve_rdma {

struct PortTypeName {
    std::string pci{};       // 0000:03:00.0
    std::uint32_t port = 0;  // 1 or 2

    std::string text() const;
    std::string path() const;       // of its file in sysfs
    std::string attribute() const;  // "mlx4_port1"
    static std::optional<PortTypeName> parse(std::string_view);
};

// What the file says, without what `auto` has led to: "auto (eth)" is "auto".
std::string port_type_value(std::string_view text);

}  // namespace pve_rdma
