// Messages of ethtool's netlink that change a setting. Source: linux/ethtool_netlink.h.
#pragma once

#include "network/settings.h"
#include "observe/netlink_generic.h"

namespace pve_rdma {

// Any setting whose way is ethtool. `value` is canonical.
NetlinkRequest ethtool_request(const GenericFamily&, std::uint32_t index, std::string_view key,
                               const std::string& value);

}  // namespace pve_rdma
