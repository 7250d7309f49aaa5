// The guard as it stands on this node.
#pragma once

#include <string>

#include "base/error.h"
#include "operations/guard_reply.h"
#include "operations/text_table.h"

namespace pve_rdma {

// `warnings` takes what could not be found out.
GuardReply guard_state(std::vector<std::string>& warnings);

std::string guard_text(const GuardReply&, const TextStyle&);

}  // namespace pve_rdma
