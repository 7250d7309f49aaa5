// What to change in one text to have another: whole lines, as few as can be.
#pragma once

#include <string_view>

#include "eni/change.h"

namespace pve_rdma {

// By the longest common subsequence of lines. Where the texts differ so widely that finding it would take
// more than a few million comparisons, all that lies between their common begin and end is one change.
eni::Change text_difference(std::string_view before, std::string_view after);

}  // namespace pve_rdma
