// MTU chains and the probes of peers, for a person.
#pragma once

#include "facts/mtu.h"
#include "operations/text_table.h"

namespace pve_rdma {

std::string mtu_text(const MtuAnswer&, const TextStyle&);

}  // namespace pve_rdma
