// What the nodes of a cluster can send each other, by their own links: each to each, in every network they
// share. Pure; quadratic in the nodes of a network, as its answer is.
#pragma once

#include <span>

#include "facts/mtu.h"
#include "facts/report.h"

namespace pve_rdma {

struct NamedReport {
    std::string name;  // of the node
    const NodeReport& report;
};

// By network, then in the order of the reports. Addresses of one node alone (loopback, fe80::, 169.254/16)
// are no network.
std::vector<MtuCell> mtu_matrix(std::span<const NamedReport>);

}  // namespace pve_rdma
