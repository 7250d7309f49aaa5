// What NLMSG_ERROR and NLMSG_DONE say: errno and the extended acknowledgement (linux/netlink.h,
// NLMSGERR_ATTR_*).
#pragma once

#include "base/error.h"
#include "observe/netlink_message.h"

namespace pve_rdma {

// Nothing when the message reports success. `what` becomes the error's subject.
std::optional<Error> netlink_error(const NetlinkMessage&, const std::string& what);

}  // namespace pve_rdma
