// Two short notes in /run/pve-rdma, which only root can write: that the next refusal is to be waived, and
// that apt's plan has been judged.
#pragma once

#include "base/error.h"
#include "guard/caller.h"

namespace pve_rdma::guard {

inline constexpr int waiver_minutes = 10;

// The next action that would be refused passes, once and within these minutes.
Result<void> grant_waiver();
bool waiver_waits();
// True for one caller only, however many ask at once.
bool take_waiver();

// apt removes packages for a moment when a plan asks for it, and puts newer ones in their place. So a plan
// that was found good as a whole covers the dpkg runs that this process of apt starts.
Result<void> approve_plan(const Process& apt);
bool plan_approved(pid_t apt);

}  // namespace pve_rdma::guard
