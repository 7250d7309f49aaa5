// The RDMA subsystem as a whole: `rdma system show`. Source: RDMA_NLDEV_CMD_SYS_GET (rdma/rdma_netlink.h).
#pragma once

#include "base/describe.h"

namespace pve_rdma {

struct RdmaSubsystem {
    std::optional<std::string> netns{};  // shared, exclusive
    std::optional<bool> copy_on_fork{};
    std::optional<bool> privileged_qkey{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("netns", self.netns);
        visit("copy_on_fork", self.copy_on_fork);
        visit("privileged_qkey", self.privileged_qkey);
    }
    bool operator==(const RdmaSubsystem&) const = default;
};

}  // namespace pve_rdma
