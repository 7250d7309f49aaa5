// Fabrics that the tests of this folder ask.
#pragma once

#include <gtest/gtest.h>

#include "mad/ask.h"
#include "mad/fake_fabric.h"

namespace pve_rdma::test {

// Two switches with two cables between them; pve1 to pve4 have port 1 on the old switch (S1, MTU 2048) and
// port 2 on S2. No SM runs yet.
struct TwoSwitches {
    FakeFabric fabric;
    std::uint32_t s1, s2;
    std::array<std::uint32_t, 4> hosts{};

    explicit TwoSwitches(std::uint32_t s1_mtu_code = 4) {
        s1 = fabric.add_switch("old-qdr-switch", Guid{0x2c90000100});
        s2 = fabric.add_switch("sx6036", Guid{0x2c90000200});
        for (auto& port : fabric.node(s1).ports)
            port.info.mtu_cap_code = s1_mtu_code;
        for (std::uint32_t i = 0; i < hosts.size(); ++i) {
            hosts[i] = fabric.add_hca("pve" + std::to_string(i + 1) + " mlx4_0",
                                      Guid{0x2c90300a1000u + std::uint64_t{i} * 0x1000}, 2);
            fabric.connect({hosts[i], 1}, {s1, i + 1});
            fabric.connect({hosts[i], 2}, {s2, i + 1});
        }
        fabric.connect({s1, 35}, {s2, 35});
        fabric.connect({s1, 36}, {s2, 36});
    }

    Result<FabricWalk> walk(LinkEnd from, const MadOptions& options = {}) {
        auto transport = fabric.open(from);
        return ask_walk(*transport, fabric.local_port(from), options);
    }
};

template <class T>
T value(Result<T> result) {
    if (!result) {
        ADD_FAILURE() << result.error().text();
        return T{};
    }
    return std::move(*result);
}

inline const WalkNode* node_named(const FabricWalk& walk, const std::string& description) {
    for (const auto& node : walk.nodes)
        if (node.description == description) return &node;
    return nullptr;
}

}  // namespace pve_rdma::test
