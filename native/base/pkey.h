// Partition keys (IBA 10.9.2): 15 bits of partition number, and a top bit that is set for full members.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace pve_rdma {

struct PKey {
    static constexpr std::uint16_t default_partition = 0x7fff;  // the one that is always there (IBA 10.9.1.2)

    std::uint16_t value = 0;  // as on the wire, with the membership bit; 0 = an empty table entry

    bool full_member() const { return value & 0x8000; }
    std::uint16_t partition() const { return value & 0x7fff; }
    std::string text() const;  // 0x8001
    static Result<PKey> parse(std::string_view);
    auto operator<=>(const PKey&) const = default;
};

}  // namespace pve_rdma
