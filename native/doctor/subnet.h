// What several rules ask of InfiniBand ports.
#pragma once

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "doctor/node.h"

namespace pve_rdma::doctor {

inline constexpr std::uint64_t default_prefix = 0xfe80'0000'0000'0000;

// The port's capability mask says that a subnet manager runs on it (IBA 14.2.5.6, IsSM).
inline bool runs_sm(const PortRef& ref) {
    constexpr std::uint64_t is_sm = 1u << 1;
    if (ref.port.cap_mask) return *ref.port.cap_mask & is_sm;
    if (ref.port.subnet && ref.port.subnet->port_info) return ref.port.subnet->port_info->is_sm();
    return std::ranges::find(ref.port.cap_flags, "SM") != ref.port.cap_flags.end();
}

// A port of this machine's own, not one that was made for a guest.
inline bool is_physical_infiniband(const Node& node, const PortRef& ref) {
    return is_infiniband(ref) && !is_virtual_function(node, ref.device);
}

// A port that is compared with those of other nodes.
inline bool is_counted(const Node& node, const PortRef& ref) {
    return ref.port.state == "ACTIVE" && !is_virtual_function(node, ref.device);
}

// The subnet that a port is in, as well as it is known.
inline std::string subnet_of(const PortRef& ref) {
    if (ref.port.subnet && ref.port.subnet->sm) return "SM " + ref.port.subnet->sm->guid.text();
    return fmt::format("prefix {:016x}", ref.port.subnet_prefix.value_or(0));
}

// A walk in the node's report has met the port: then the rules of fabrics speak of its link.
inline bool is_walked(const Node& node, const PortRef& ref) {
    for (const auto& walk : node.report.fabric)
        for (const auto& one : walk.nodes)
            if (ref.device.node_guid == one.guid && one.find_port(ref.port.number)) return true;
    return false;
}

}  // namespace pve_rdma::doctor
