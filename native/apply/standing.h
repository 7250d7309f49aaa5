// Which of its two values the object of a step has in a network: how a step is known to be done already, or
// to be no longer what was planned. A pure function; kernels ask it before they act or after a refusal, a
// transaction when it verifies.
#pragma once

#include "network/network.h"
#include "network/step.h"

namespace pve_rdma {

enum class Standing {
    before,   // the step can be carried out
    after,    // it is done
    neither,  // somebody else changed the object
};

// not_found: the link that the step is about has gone, or there is no such sysctl. unavailable: the link has
// no such setting. bad_request: the step itself makes no sense.
Result<Standing> standing(const Network&, const Step&);

// What to say of a step whose object has another value: ErrorCode::conflict.
Error another_value(const Step&);

}  // namespace pve_rdma
