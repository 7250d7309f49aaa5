// The types of ConnectX-3 ports at the next boot: a rule of udev for each, for when the driver takes the
// card.
#pragma once

#include "desired/desired.h"
#include "eni/file_reader.h"
#include "plan/persist.h"

namespace pve_rdma {

inline constexpr const char* port_types_file = "/etc/udev/rules.d/90-pve-rdma-port-types.rules";

Result<void> persist_port_types(const Desired&, eni::FileReader&, Persistence&);

}  // namespace pve_rdma
