#include "observe/netlink_table.h"

#include <fmt/format.h>

namespace pve_rdma {

std::string hex_text(std::uint64_t value) {
    return fmt::format("{:#x}", value);
}

std::string hex_octets(Octets octets) {
    std::string out;
    out.reserve(octets.size() * 2);
    for (const auto octet : as_bytes(octets))
        fmt::format_to(std::back_inserter(out), "{:02x}", octet);
    return out;
}

}  // namespace pve_rdma
