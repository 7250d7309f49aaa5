// How a conversation of MADs behaves: window, time, retries.
#pragma once

#include <cstdint>

namespace pve_rdma {

struct MadOptions {
    // MADs on the wire. A switch's management agent drops VL15 packets beyond a few, so the window starts
    // where opensm's max_wire_smps stands and grows only while answers come.
    std::uint32_t window_start = 4, window_max = 16;
    std::uint32_t timeout_ms = 200;  // of the first attempt; each retry waits twice as long
    std::uint32_t retries = 2;
    std::uint32_t deadline_ms = 5000;  // of the whole conversation
};

}  // namespace pve_rdma
