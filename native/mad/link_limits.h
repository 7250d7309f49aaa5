// A link from the ports at its ends, and what keeps it below what both can do. Pure functions.
#pragma once

#include <vector>

#include "facts/fabric_walk.h"

namespace pve_rdma {

FabricLink link_between(const std::vector<WalkNode>& nodes, LinkEnd from, LinkEnd to);

// A port by name: "old-qdr-switch port 35"; the GUID where there is no description.
std::string port_name(const std::vector<WalkNode>& nodes, LinkEnd);

}  // namespace pve_rdma
