// Steps about links, their settings and sysctls, one at a time: each is looked at before and, where the
// kernel says yes to what it then does not do (the MTU of an IPoIB port), after.
#pragma once

#include "apply/kernel.h"
#include "observe/machine.h"
#include "observe/netlink_transport.h"

namespace pve_rdma {

Result<void> carry_out_single(const Machine&, NetlinkTransport&, const Step&);

}  // namespace pve_rdma
