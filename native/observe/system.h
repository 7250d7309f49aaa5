// The node around the cards (source "system"): kernel, distribution, processors, limits, settings.
// Sources: uname(2), proc(5), os-release(5), Documentation/admin-guide/sysctl/net.rst and
// networking/ip-sysctl.rst, efivarfs (SecureBoot of the global variable GUID), sysfs-kernel-iommu_groups.
#pragma once

#include "facts/report.h"
#include "observe/machine.h"

namespace pve_rdma {

void observe_system(const Machine&, NodeReport&);

}  // namespace pve_rdma
