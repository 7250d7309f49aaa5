// Whether a network is as steps leave it: standing.h for many steps at once, in linear time.
#pragma once

#include <span>
#include <vector>

#include "network/network.h"
#include "network/step.h"

namespace pve_rdma {

// Of each object that the steps are about, the last step, when the network does not show its new value: their
// places among the steps, ascending. A value that goes is met when it is not there; whatever stands there
// instead is somebody else's. Of a link that is deleted at last, what it had is not asked about.
std::vector<std::size_t> unmet(const Network&, std::span<const Step>);

}  // namespace pve_rdma
