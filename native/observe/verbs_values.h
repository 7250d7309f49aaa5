// libibverbs' structures as facts: pure functions, no device is touched. Each fills only members that hold
// nothing yet, but for what only libibverbs knows.
#pragma once

#include <infiniband/verbs.h>

#include "facts/report.h"

namespace pve_rdma {

void add_device_attributes(const ibv_device_attr_ex&, int completion_vectors, RdmaDevice&);
void add_port_attributes(const ibv_port_attr&, Port&);
// Entries of one device's table, spread over its ports; `links` gives the netdevs' names.
void add_gid_entries(const std::vector<ibv_gid_entry>& entries, const std::vector<Link>& links, RdmaDevice&);

// 2 -> "4X"; 16 -> "FDR" (enum ib_port_width, ib_port_speed in include/rdma/ib_verbs.h). nullptr: not known.
const char* width_name(unsigned code);
const char* speed_name(unsigned code);

}  // namespace pve_rdma
