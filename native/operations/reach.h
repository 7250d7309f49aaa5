// Whether a change cuts something off: what answered an echo request before has to answer afterwards.
//
// Asked are the gateways of default routes, the caller's machine, the other nodes of corosync's cluster, and
// the peers that are named; the named ones also with Don't-Fragment at the MTU of the link that leads to
// them. Time: a few seconds at most.
#pragma once

#include <vector>

#include "facts/named_address.h"
#include "observe/echo_transport.h"
#include "plan/planner.h"

namespace pve_rdma {

struct ReachTarget : NamedAddress {
    bool named = false;  // by the caller
};

class Reach {
  public:
    // Asks all of them, and the gateways of the plan. ErrorCode::unavailable for a named one that does not
    // answer even now: nothing could be told of it.
    static Result<Reach> before(const Plan&, std::vector<ReachTarget>);

    // ErrorCode::machine names the first that does not answer any more.
    Result<void> still() const;

  private:
    struct Target : ReachTarget {
        std::uint32_t mtu = 0;      // of the link that leads there after the change; 0: not known
        std::uint32_t reached = 0;  // largest packet answered before
    };
    std::vector<Target> targets_{};
};

}  // namespace pve_rdma
