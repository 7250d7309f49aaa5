// A link-layer address: 6 octets for Ethernet, 20 for IP over InfiniBand (RFC 4391, 9.1.1), 4 or 16 for the
// address of a tunnel's end, at most 32 (MAX_ADDR_LEN, linux/netdevice.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace pve_rdma {

// Written as colon hex, "52:54:00:12:34:56".
struct HardwareAddress {
    static constexpr std::size_t max_length = 32;
    std::array<std::uint8_t, max_length> octets{};
    std::uint8_t length = 0;

    std::string text() const;
    static Result<HardwareAddress> parse(std::string_view);
    // No address when there are more than max_length octets.
    static Result<HardwareAddress> from(std::span<const std::uint8_t>);
    std::span<const std::uint8_t> bytes() const { return {octets.data(), length}; }
    bool operator==(const HardwareAddress&) const = default;
};

}  // namespace pve_rdma
