// What every fabric operation takes: the port to ask from, and how patient to be.
#pragma once

#include "mad/fabric.h"
#include "operations/operation.h"
#include "operations/request.h"

namespace pve_rdma {

// `own` first, then the common ones.
std::vector<Parameter> with_fabric_parameters(std::vector<Parameter> own);
PortChoice port_choice(const Request&);
MadOptions mad_options(const Request&);

}  // namespace pve_rdma
