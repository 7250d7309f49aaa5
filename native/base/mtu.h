// The MTU code of InfiniBand (enum ib_mtu; IBA 14.2.5.6, NeighborMTU).
#pragma once

#include <cstdint>

namespace pve_rdma {

// 1..5: 256..4096 octets; 0 for any other code.
constexpr std::uint32_t mtu_octets(std::uint32_t code) {
    return code >= 1 && code <= 5 ? 128u << code : 0;
}

}  // namespace pve_rdma
