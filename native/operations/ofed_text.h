// The answers of `pve-rdma ofed` for a person.
#pragma once

#include <string>

#include "operations/operation.h"

namespace pve_rdma {

std::string ofed_check_text(const Reply&, const TextStyle&);
std::string ofed_status_text(const Reply&, const TextStyle&);

}  // namespace pve_rdma
