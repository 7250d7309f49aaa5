// The subnet as each InfiniBand port of this node sees it.
#pragma once

#include "facts/report.h"
#include "observe/machine.h"

namespace pve_rdma {

// Fills Port.subnet of every InfiniBand port in report.devices that is not DOWN, and
// report.sources["umad"]: why nothing, or which ports, could not be asked. Ethernet ports are skipped; a
// recorded tree is not asked. Needs Port.link_layer and Port.state; takes at most 1.5 s a port.
void observe_subnet(const Machine&, NodeReport&);

}  // namespace pve_rdma
