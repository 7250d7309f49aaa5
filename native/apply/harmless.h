// What no kernel port does, whatever was planned: defence in depth.
#pragma once

#include "network/network.h"
#include "network/step.h"

namespace pve_rdma {

// ErrorCode::conflict for a step that takes a guest's port away or out of its bridge; bad_request for a P_Key
// child on anything but an IPoIB port: on a bond of such ports the attempt crashes the kernel (6.12).
Result<void> is_harmless(const Network&, const Step&);

}  // namespace pve_rdma
