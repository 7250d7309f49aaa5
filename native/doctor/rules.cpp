#include "doctor/rules.h"

#include <algorithm>
#include <array>

namespace pve_rdma::doctor {

namespace {

struct Family {
    std::string_view name;
    std::vector<Rule> (*rules)();
};

constexpr std::array<Family, 25> families{{{"modules", module_rules},
                                           {"driver", driver_rules},
                                           {"physical", physical_rules},
                                           {"physical", port_counter_rules},
                                           {"physical", cable_rules},
                                           {"protocol", protocol_rules},
                                           {"subnet manager", subnet_manager_rules},
                                           {"subnet manager", subnet_managers_rules},
                                           {"GUID and LID", guid_lid_rules},
                                           {"MTU", mtu_rules},
                                           {"MTU", mtu_fabric_rules},
                                           {"MTU", mtu_chain_rules},
                                           {"IPoIB", ipoib_rules},
                                           {"PCI", pci_rules},
                                           {"Ethernet", ethernet_rules},
                                           {"RoCE", roce_rules},
                                           {"firmware", firmware_rules},
                                           {"SR-IOV", sriov_rules},
                                           {"routes", route_rules},
                                           {"interfaces file", interfaces_rules},
                                           {"interfaces file", interfaces_commands_rules},
                                           {"interfaces file", ifupdown_rules},
                                           {"system", system_rules},
                                           {"cluster", cluster_rules},
                                           {"cluster", cluster_subnet_rules}}};

std::vector<Rule> joined() {
    std::vector<Rule> all;
    for (const auto& family : families)
        for (auto& rule : family.rules()) {
            rule.family = family.name;
            all.push_back(std::move(rule));
        }
    // A family of several files reads as one.
    for (auto begin = all.begin(); begin != all.end();) {
        const auto end =
            std::find_if(begin, all.end(), [&](const Rule& rule) { return rule.family != begin->family; });
        std::ranges::sort(begin, end, {}, &Rule::id);
        begin = end;
    }
    return all;
}

}  // namespace

std::span<const Rule> rules() {
    static const std::vector<Rule> table = joined();
    return table;
}

const Rule* find_rule(std::string_view id) {
    const auto found = std::ranges::find(rules(), id, &Rule::id);
    return found == rules().end() ? nullptr : &*found;
}

std::vector<std::string_view> rule_ids() {
    std::vector<std::string_view> ids;
    for (const auto& rule : rules())
        ids.push_back(rule.id);
    return ids;
}

}  // namespace pve_rdma::doctor
