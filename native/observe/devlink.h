// devlink devices, ports, parameters, e-switch and health: NodeReport.devlink; source "devlink".
//
// One dump for each kind of message, and one request a device for the e-switch, which has no dump on older
// kernels. Parts that a driver lacks are absent; parameters and health may need root: then they are in
// `unread`. Source: linux/devlink.h. Threads: each call has its own socket.
#pragma once

#include "facts/report.h"
#include "observe/machine.h"
#include "observe/netlink_generic.h"

namespace pve_rdma {

struct DevlinkOptions {
    bool serial_numbers = false;
};

void observe_devlink(const Machine&, NodeReport&, const DevlinkOptions& = {});
Source read_devlink(NetlinkTransport&, NodeReport&, const DevlinkOptions& = {});

// Decoders of one message's attributes.
void decode_devlink_info(Octets, bool serial_numbers, DevlinkDevice&);
void decode_devlink_port(Octets, DevlinkPort&);
std::optional<DevlinkParameter> decode_devlink_parameter(Octets);
std::optional<DevlinkReporter> decode_devlink_reporter(Octets);
void decode_devlink_eswitch(Octets, DevlinkDevice&);

}  // namespace pve_rdma
