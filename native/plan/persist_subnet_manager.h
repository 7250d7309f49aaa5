// opensm's files: partitions.conf, opensm.conf and Debian's /etc/default/opensm.
#pragma once

#include "desired/desired.h"
#include "eni/file_reader.h"
#include "facts/report.h"
#include "plan/persist.h"

namespace pve_rdma {

// The report's devices name the ports. opensm reads these files when it starts: so each change names its
// service, which a transaction restarts last.
Result<void> persist_subnet_manager(const DesiredSubnetManager&, const NodeReport&, eni::FileReader&,
                                    Persistence&);

}  // namespace pve_rdma
