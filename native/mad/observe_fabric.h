// The map of every subnet that this node is in.
#pragma once

#include "facts/report.h"
#include "mad/mad_options.h"
#include "observe/machine.h"

namespace pve_rdma {

// Fills report.fabric: one walk for each subnet behind an InfiniBand port whose link is up (a port that an
// earlier walk has met is not walked again), and report.sources["fabric"]: why nothing, or what could not be
// walked. A recorded tree is not asked. Needs the section devices. It sends a few MADs to every node of the
// subnet, so it is done only when it is asked for.
void observe_fabric(const Machine&, NodeReport&, const MadOptions& = {});

}  // namespace pve_rdma
