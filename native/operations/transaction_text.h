// Transactions for a person.
#pragma once

#include <string>

#include "operations/reply.h"

namespace pve_rdma {

std::string transaction_text(const Reply&, const TextStyle&);
std::string transactions_text(const Reply&, const TextStyle&);

}  // namespace pve_rdma
