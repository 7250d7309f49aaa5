// InfiniBand identifiers: 64-bit GUIDs (EUI-64) and 128-bit GIDs (IBA 4.1). Values are in host order.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace pve_rdma {

// Written 0x0002c90300a1001a; read also as 0002:c903:00a1:001a and 00:02:c9:03:00:a1:00:1a.
struct Guid {
    std::uint64_t value = 0;

    std::string text() const;
    static Result<Guid> parse(std::string_view);
    bool is_zero() const { return value == 0; }
    auto operator<=>(const Guid&) const = default;
};

// Written fe80:0000:0000:0000:0002:c903:00a1:001a, as sysfs does; read in any IPv6 form.
struct Gid {
    std::array<std::uint8_t, 16> octets{};

    std::string text() const;
    static Result<Gid> parse(std::string_view);
    static Gid from(std::uint64_t prefix, Guid guid);
    std::uint64_t prefix() const;
    Guid guid() const;
    bool is_zero() const;
    auto operator<=>(const Gid&) const = default;
};

}  // namespace pve_rdma
