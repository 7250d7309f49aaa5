// From one state to another: the steps, in an order in which nothing is missing in between. Pure.
//
// New before old (make before break); MTUs are lowered from above and raised from below; a route changes in
// one message where its key stays; a link is set down only where the kernel asks for it (a port that joins a
// bond), and what that costs is said. What the kernel would take along silently is a step of its own before
// it, so that the plan backwards is its inverse. Sources: network.md 3 of the design; net/ipv4/fib_frontend.c
// (fib_del_ifaddr), net/ipv4/devinet.c (__inet_del_ifa), drivers/net/bonding (bond_enslave).
#pragma once

#include "network/network.h"
#include "network/step.h"

namespace pve_rdma {

std::vector<Step> ordered_steps(const Network& now, const Network& target);

}  // namespace pve_rdma
