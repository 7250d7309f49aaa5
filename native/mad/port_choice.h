// Which local port to ask a fabric from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "facts/fabric.h"

namespace pve_rdma {

// By default the first ACTIVE InfiniBand port; where there is none, the first that is ARMED or INIT.
struct PortChoice {
    std::string ca{};        // "mlx4_0"; empty: any
    std::uint32_t port = 0;  // 0: any
};

// A port of this node that a MAD can leave by.
struct LocalPort {
    FabricVia via;
    bool infiniband = false;  // the link layer
    // Index of the default partition (0x7fff) in the port's P_Key table; QP1 MADs to the SA leave with it.
    std::uint16_t default_pkey_index = 0;
};

// An error says which ports there are and why none fits.
Result<LocalPort> choose_port(const std::vector<LocalPort>& ports, const PortChoice&);

}  // namespace pve_rdma
