// What is half done on a node, and what a vendor's driver has left behind: parts of driver_stack().
#pragma once

#include "ofed/stack.h"

namespace pve_rdma::ofed {

void note_half_done(const NodeFacts&, const Installed*, DriverStack&);
void note_leftovers(const NodeFacts&, DriverStack&);

}  // namespace pve_rdma::ofed
