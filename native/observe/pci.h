// PCI functions of network and RDMA cards (source "pci"): classes 02xx and 0c06 in /sys/bus/pci/devices.
// Config space beyond 64 octets and VPD need root. Serial numbers only when asked for.
// Sources: Documentation/ABI/testing/sysfs-bus-pci, sysfs-bus-pci-devices-...; mlx4_port1 is mlx4_core's.
#pragma once

#include "facts/report.h"
#include "observe/machine.h"

namespace pve_rdma {

void observe_pci(const Machine&, NodeReport&, bool serial_numbers = false);

}  // namespace pve_rdma
