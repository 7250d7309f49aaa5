// What the reader's process gives up before it looks at what others wrote.
#pragma once

#include "base/error.h"

namespace pve_rdma::ofed {

// Limits of memory, time, file size and open files; no new privileges; and for root: another user, who may
// read files as root does (CAP_DAC_READ_SEARCH), and nothing else. In a namespace that has no such user it
// stays root.
Result<void> confine();

}  // namespace pve_rdma::ofed
