// Probes many peers at once: one loop drives a search (mtu_search.h) for each over one transport.
//
// Time: at most the deadline. The first answer is waited for `timeout_ms`, doubled up to twice with each
// retry; after it, three times the peer's round trip and a little. Memory: a fixed table of requests. No
// errors: what cannot be sent or is not answered becomes part of the peer's result. Threads: one.
#pragma once

#include <vector>

#include "facts/mtu.h"
#include "observe/echo_transport.h"

namespace pve_rdma {

struct MtuTarget {
    EchoTarget peer;
    std::uint32_t largest = 1500;  // what this node sends to it
};

struct MtuProbeOptions {
    std::uint32_t timeout_ms = 500;
    std::uint32_t retries = 3;
    std::uint32_t deadline_ms = 30'000;
};

// One result for each target, in their order.
std::vector<MtuProbe> probe_mtus(EchoTransport&, const std::vector<MtuTarget>&, const MtuProbeOptions&);

}  // namespace pve_rdma
