// What rdma(8) tells: devices, ports, resources in use, hardware counters, the subsystem's mode; source
// "rdma-netlink". Devices are found or made by name, ports by number.
//
// One dump of devices, one of resources, one of ports for each device, one request a port for its counters.
// Source: rdma/rdma_netlink.h (RDMA_NLDEV_*). The protocol exists once ib_core is loaded.
// Threads: each call has its own socket.
#pragma once

#include "facts/report.h"
#include "observe/machine.h"
#include "observe/netlink_dump.h"

namespace pve_rdma {

void observe_rdma_netlink(const Machine&, NodeReport&);
Source read_rdma_netlink(NetlinkTransport&, NodeReport&);

// Decoders of one message's attributes (a message of this protocol has no further header).
void decode_rdma_device(Octets, RdmaDevice&);
void decode_rdma_port(Octets, Port&);
void decode_rdma_resources(Octets, RdmaDevice&);
void decode_rdma_counters(Octets, Port&);
void decode_rdma_subsystem(Octets, RdmaSubsystem&);

}  // namespace pve_rdma
