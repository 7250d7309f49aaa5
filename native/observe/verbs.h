// What only libibverbs gives (source "verbs"): MTUs of a port, limits of a device, the GID table in one call.
// Asked only when the node has an RDMA device: opening one loads providers and maps device memory. P_Keys are
// not asked here: ibv_query_pkey reads one sysfs file, and so one firmware command, for each entry.
// Source: rdma-core, libibverbs; ibv_devinfo(1) for the names of limits.
//
// Threads: calls are serialised; while libibverbs looks for devices, its warnings go to the report instead of
// standard error.
#pragma once

#include "facts/report.h"
#include "observe/machine.h"

namespace pve_rdma {

void observe_verbs(const Machine&, NodeReport&);

}  // namespace pve_rdma
