// Plans that the tests of transactions carry out, and what others may do meanwhile.
#pragma once

#include "transaction_bed.h"

namespace pve_rdma {

inline const std::string interfaces = "/etc/network/interfaces";  // "old\n" before, "new\n" after

using Meanwhile = std::function<void(Bed&)>;

struct Plan {
    std::string name{};
    std::function<void(FakeKernel&)> make{};  // the network of before
    std::vector<Step> steps{};
    std::vector<FileChange> files{};
    std::string unplugged{};   // a link of the plan
    Meanwhile same_object{};   // somebody else changes what the plan changes
    Meanwhile other_object{};  // or something else
};

std::vector<Plan> transaction_plans();

}  // namespace pve_rdma
