// Steps about routes, rules and addresses, in batches. Source of what is refused when:
// net/ipv4/fib_frontend.c, net/ipv6/route.c, net/core/fib_rules.c, net/ipv4/devinet.c, net/ipv6/addrconf.c.
#pragma once

#include "apply/kernel.h"
#include "observe/machine.h"
#include "observe/netlink_transport.h"

namespace pve_rdma {

bool is_batched(const Step&);
// How many of the steps, from the first on, may travel together.
std::size_t batch_length(std::span<const Step>);
// Steps of one batch. Failures come in the order of the steps.
std::vector<StepFailure> carry_out_batch(const Machine&, NetlinkTransport&, std::span<const Step>);

}  // namespace pve_rdma
