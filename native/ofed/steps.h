// What to do: stay with the kernel's own driver where that is the answer, or else the steps that keep the
// node whole. For people: nothing of it is run.
#pragma once

#include <span>

#include "ofed/verdict.h"

namespace pve_rdma::ofed {

// Fills stay, plan and script.
void make_plan(const Situation&, std::span<const doctor::Finding>, Verdict&);

}  // namespace pve_rdma::ofed
