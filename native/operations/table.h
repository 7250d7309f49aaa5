// Each operation's entry, defined in the file of that operation. operations/table.cpp lists them.
#pragma once

#include "operations/operation.h"

namespace pve_rdma {

extern const Operation probe_operation;
extern const Operation diagnose_operation;
extern const Operation fabric_sm_operation;
extern const Operation fabric_port_operation;
extern const Operation fabric_walk_operation;
extern const Operation fabric_path_operation;
extern const Operation mtu_operation;
extern const Operation config_show_operation;
extern const Operation config_print_operation;
extern const Operation config_check_operation;
extern const Operation config_edit_operation;
extern const Operation show_operation;
extern const Operation plan_operation;
extern const Operation apply_operation;
extern const Operation confirm_operation;
extern const Operation rollback_operation;
extern const Operation transactions_operation;
extern const Operation ofed_guard_operation;
extern const Operation ofed_check_operation;
extern const Operation ofed_status_operation;
extern const Operation schema_operation;

}  // namespace pve_rdma
