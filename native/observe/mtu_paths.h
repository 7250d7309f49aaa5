// Routes to peers and probes of the way to them, on the running kernel: the sockets behind route_lookup.h and
// mtu_probe.h.
#pragma once

#include "observe/mtu_probe.h"
#include "observe/route_lookup.h"

namespace pve_rdma {

// The route to each target, or why there is none. An error: the kernel could not be asked at all.
Result<std::vector<Result<Route>>> find_ways(const std::vector<EchoTarget>&, std::span<const Link>);

// Opens sockets for the families there are among the targets. A size is cut to what an IP packet may have.
Result<std::vector<MtuProbe>> probe_paths(std::vector<MtuTarget>, const MtuProbeOptions&);

}  // namespace pve_rdma
