// Sysctls in our file of sysctl.d: lines "name = value"; others stay.
#pragma once

#include "desired/desired.h"
#include "eni/file_reader.h"
#include "plan/persist.h"

namespace pve_rdma {

Result<void> persist_sysctls(const Desired&, eni::FileReader&, Persistence&);

}  // namespace pve_rdma
