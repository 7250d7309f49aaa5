// What ethtool(8) tells: Link.ethernet of the links that a report already has; source "ethtool".
//
// One dump for each kind of message, none per link; two things are asked per link, of hardware only: the
// driver's name and counters (ioctl SIOCETHTOOL) and the module's EEPROM (root). What a link does not support
// is absent; what may not be read is in `unread`. Names of link modes and features are the kernel's (string
// sets). Features of tun and veth links (guests' ends) are left out: there are many and they say nothing of a
// card. Threads: each call has its own sockets.
#pragma once

#include "facts/report.h"
#include "observe/machine.h"
#include "observe/netlink_transport.h"

namespace pve_rdma {

struct EthtoolOptions {
    bool serial_numbers = false;  // also serial number and date code of modules
    bool settings_only = false;   // only what network/settings.h knows; no modules
};

void observe_ethtool(const Machine&, NodeReport&, const EthtoolOptions& = {});

// The netlink part over a given transport of NETLINK_GENERIC.
Source read_ethtool(NetlinkTransport&, NodeReport&, const EthtoolOptions& = {});

}  // namespace pve_rdma
