// JSON Schemas of the operations' results, for Operation::result_schema. In one file of their own: nothing
// else here takes so long to compile.
#pragma once

#include <string>

namespace pve_rdma {

std::string report_schema();
std::string fabric_sm_schema();
std::string fabric_port_schema();
std::string fabric_walk_schema();
std::string fabric_path_schema();
std::string mtu_schema();
std::string config_schema();
std::string guard_schema();
std::string findings_schema();
std::string plan_schema();
std::string transaction_schema();
std::string transactions_schema();
std::string network_schema();
std::string ofed_check_schema();
std::string ofed_status_schema();

}  // namespace pve_rdma
