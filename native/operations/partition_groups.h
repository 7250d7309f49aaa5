// Whether this node's subnet manager carries the partitions that its file asks for.
#pragma once

#include "desired/desired.h"
#include "facts/report.h"

namespace pve_rdma {

// The master that a port of this node was answered by is on this node. Of a report with the section subnet.
bool is_master_here(const NodeReport&);

// Asks this node's ports until IPoIB's groups have the MTUs wanted. After its start a manager needs seconds
// to make them. ErrorCode::machine after half a minute: the group, and what it has.
Result<void> wait_for_groups(const DesiredSubnetManager&);

}  // namespace pve_rdma
