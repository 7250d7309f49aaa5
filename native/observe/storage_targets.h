// Disks that are reached over the network: whose loss is not an interruption but a read-only root. Read when
// a change is planned; they are no part of a report, which does not say where storage lies.
#pragma once

#include <vector>

#include "facts/named_address.h"
#include "observe/machine.h"

namespace pve_rdma {

// iSCSI connections (/sys/class/iscsi_connection) and NVMe controllers over TCP or RDMA (/sys/class/nvme). A
// machine without either has none.
std::vector<NamedAddress> storage_targets(const Machine&);

}  // namespace pve_rdma
