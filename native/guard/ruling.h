// What the guard answers to dpkg and apt.
#pragma once

#include <string>
#include <vector>

#include "guard/caller.h"
#include "guard/judge.h"

namespace pve_rdma::guard {

// Nothing lost: the action may go on.
struct Ruling {
    std::string call;  // the command line, or what is known of it
    std::vector<Loss> losses;
};

// Each for the environment that dpkg gives its hooks, and the text that apt gives its own.
Ruling rule_dpkg(const std::string& action, const std::string& root, const std::string& admindir,
                 const std::string& force);
// An approved plan is noted, see approve_plan.
Ruling rule_apt(int input);

// Whether the action passes: nothing is lost, or somebody has waived it. Says why not on standard error.
bool passes(const Ruling&);

}  // namespace pve_rdma::guard
