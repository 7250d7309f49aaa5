// Which links the cluster's services use.
#pragma once

#include <utility>
#include <vector>

#include "doctor/node.h"

namespace pve_rdma::doctor {

// Each network of system.networks with the links that hold an address in it. A network that is written as a
// host's name, or that no address is in, has none.
std::vector<std::pair<const ServiceNetwork*, const Link*>> service_links(const Node&);

// The link and all that it stands on: parent of a VLAN, ports of a bond or bridge (not the guests').
std::vector<const Link*> links_below(const Node&, const Link&);

}  // namespace pve_rdma::doctor
