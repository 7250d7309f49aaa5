// What `plan` and `apply` share: the document, the state that it is merged with, the plan.
#pragma once

#include "apply/file_lock.h"
#include "operations/operation.h"
#include "operations/reach.h"
#include "operations/reply.h"
#include "operations/request.h"
#include "plan/planner.h"

namespace pve_rdma {

// The document, the interfaces file's digest, and whether files are changed at all.
std::vector<Parameter> change_parameters();

struct Proposal {
    Desired desired{};
    Plan plan{};
    std::string digest{};  // of the interfaces files that the plan was made from
    std::optional<IpAddress> caller{};
    std::string connection{};
    std::vector<ReachTarget> peers{};  // of this node's cluster
    bool manages_subnet = false;       // the master of a subnet of this node is here
};

// Reads this node, or the report that the request names (plan only). ErrorCode::conflict when the digest is
// another than the request's.
Result<Proposal> propose(const Request&);

// Plan, diff, refusals and notes.
void answer(Proposal&, Reply&);

std::string proposal_text(const Reply&, const TextStyle&);

}  // namespace pve_rdma
