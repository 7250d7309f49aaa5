// A diagnosis for a person.
#pragma once

#include <string>

#include "operations/operation.h"
#include "operations/reply.h"

namespace pve_rdma {

// Findings by node, the worst first; then what could not be judged. At most style.width columns.
std::string diagnosis_text(const Reply&, const TextStyle&);
std::string rule_page_text(const doctor::RulePage&, const TextStyle&);

}  // namespace pve_rdma
