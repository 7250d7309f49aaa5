// MADs through the kernel: /dev/infiniband/umad*, by libibumad (Documentation/infiniband/user_mad.rst).
//
// libibumad and not the device node itself, so that the ibsim laboratory (libumad2sim) can stand in for it.
// The kernel joins RMPP segments; it overwrites the high half of each transaction id; a MAD that times out
// comes back with its header only.
#pragma once

#include <memory>

#include "mad/port_choice.h"
#include "mad/transport.h"

namespace pve_rdma {

// Ports that libibumad lists. Those that it cannot read (a port without a cable may refuse its rate) are left
// out, and named in `unread`.
std::vector<LocalPort> umad_ports(std::vector<Unread>& unread);

// EACCES, ENOENT, ENODEV keep their errno and say what would help.
Result<std::unique_ptr<MadTransport>> open_umad(const LocalPort&);

}  // namespace pve_rdma
