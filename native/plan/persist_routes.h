// Routes and rules in interfaces(5): the gateway and its metric where Proxmox keeps them, else rdma-route and
// rdma-rule lines in our own file.
#pragma once

#include "desired/desired.h"
#include "plan/config_editor.h"
#include "plan/persist.h"

namespace pve_rdma {

Result<void> persist_routes(const Desired&, const Network& target, ConfigEditor&, Persistence&);

// The value of an rdma-route or rdma-rule line (ifup/wishes.h says how it is read).
std::string route_line(const RouteEntry&);
std::string rule_line(const RuleEntry&);

}  // namespace pve_rdma
