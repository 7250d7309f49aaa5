// All rules, by family.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "doctor/rule.h"

namespace pve_rdma::doctor {

// In the order of the families; ids are unique.
std::span<const Rule> rules();
const Rule* find_rule(std::string_view id);
std::vector<std::string_view> rule_ids();

// One file each.
std::vector<Rule> module_rules();
std::vector<Rule> driver_rules();
std::vector<Rule> physical_rules();
std::vector<Rule> port_counter_rules();
std::vector<Rule> cable_rules();
std::vector<Rule> protocol_rules();
std::vector<Rule> subnet_manager_rules();
std::vector<Rule> subnet_managers_rules();
std::vector<Rule> guid_lid_rules();
std::vector<Rule> mtu_rules();
std::vector<Rule> mtu_fabric_rules();
std::vector<Rule> mtu_chain_rules();
std::vector<Rule> ipoib_rules();
std::vector<Rule> pci_rules();
std::vector<Rule> ethernet_rules();
std::vector<Rule> roce_rules();
std::vector<Rule> firmware_rules();
std::vector<Rule> sriov_rules();
std::vector<Rule> route_rules();
std::vector<Rule> interfaces_rules();
std::vector<Rule> interfaces_commands_rules();
std::vector<Rule> ifupdown_rules();
std::vector<Rule> system_rules();
std::vector<Rule> cluster_rules();
std::vector<Rule> cluster_subnet_rules();

}  // namespace pve_rdma::doctor
