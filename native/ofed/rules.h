// The rules of the check, by id: their words stand here once. Each is decided in the check_*.cpp that names
// it.
#pragma once

#include <span>
#include <string_view>

#include "doctor/rule.h"

namespace pve_rdma::ofed {

std::span<const doctor::Rule> check_rules();
// A rule that there is: an unknown id is a fault of the program (assertion).
const doctor::Rule& check_rule(std::string_view id);

}  // namespace pve_rdma::ofed
