// IP addresses and prefixes, both families.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace pve_rdma {

// Written as inet_ntop(3) writes it: "192.0.2.1", "2001:db8::1".
struct IpAddress {
    std::array<std::uint8_t, 16> octets{};  // network order; IPv4 takes the first four
    std::uint8_t length = 4;                // octets: 4 or 16

    bool is_v6() const { return length == 16; }
    bool is_unspecified() const;
    bool is_multicast() const;
    std::string text() const;
    static Result<IpAddress> parse(std::string_view);
    // Any other length than 4 and 16 is ErrorCode::malformed.
    static Result<IpAddress> from(std::span<const std::uint8_t>);
    std::span<const std::uint8_t> bytes() const { return {octets.data(), length}; }
    auto operator<=>(const IpAddress&) const = default;
};

// Written as `ip -j route` writes a destination: "default", "192.0.2.0/24", "192.0.2.7" for a whole address.
// "default" does not say the family: the record that holds it does.
struct IpPrefix {
    IpAddress address;
    std::uint8_t length = 0;  // bits

    bool is_default() const { return length == 0; }
    std::string text() const;
    static Result<IpPrefix> parse(std::string_view);
    // "default" is the same of both families.
    bool operator==(const IpPrefix& other) const {
        return length == other.length && (length == 0 || address == other.address);
    }
};

}  // namespace pve_rdma
