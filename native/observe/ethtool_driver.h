// The part of ethtool that has no netlink message: the driver's name and versions (ETHTOOL_GDRVINFO) and its
// own counters (ETHTOOL_GSTATS), by ioctl(SIOCETHTOOL). Two to four calls for each link of hardware.
#pragma once

#include <string_view>
#include <vector>

#include "facts/link.h"
#include "facts/source.h"

namespace pve_rdma {

// Fills Link.ethernet of links that are no virtual kind; returns what could not be read.
std::vector<Unread> read_drivers(std::vector<Link>&);

// Counters worth a report: pauses, drops, discards, errors, missing buffers, CRC, FEC, PHY; none of one
// queue.
bool is_kept_counter(std::string_view name);

}  // namespace pve_rdma
