// RDMA devices and their ports from /sys/class/infiniband (source "sysfs").
//
// Runs after the netlink and verbs observers and fills only what they left empty: on a live node almost
// every file here is a firmware command (state, lid, rate, pkeys) or a MAD (counters). On a recorded tree it
// fills everything, the links of /sys/class/net too.
// Sources: drivers/infiniband/core/sysfs.c; Documentation/ABI/stable/sysfs-class-infiniband,
// testing/sysfs-class-net.
#pragma once

#include "facts/report.h"
#include "observe/machine.h"

namespace pve_rdma {

void observe_sysfs(const Machine&, NodeReport&);

// Links from /sys/class/net, with rtnetlink's fields and words. Does nothing on a live node.
void observe_sysfs_links(const Machine&, NodeReport&);

}  // namespace pve_rdma
