// Generic netlink: families by name (ethtool, devlink). Source: linux/genetlink.h.
#pragma once

#include <linux/genetlink.h>

#include "observe/netlink_dump.h"

namespace pve_rdma {

struct GenericFamily {
    std::uint16_t id = 0;
    std::uint8_t version = 0;
};

// errno ENOENT, ErrorCode::unavailable: the kernel has no such family (its module is not loaded or not
// built).
Result<GenericFamily> find_family(NetlinkTransport&, const std::string& name);

// A request of a family; attributes are added by the caller. flags go beside NLM_F_REQUEST.
NetlinkRequest generic_request(const GenericFamily&, std::uint8_t command, std::uint16_t flags);

// The attributes of an answer, and its command.
inline Octets generic_attributes(const NetlinkMessage& message) {
    return message.behind(sizeof(genlmsghdr));
}
inline std::uint8_t generic_command(const NetlinkMessage& message) {
    return message.start<genlmsghdr>().cmd;
}

}  // namespace pve_rdma
