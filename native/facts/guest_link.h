// Links that Proxmox VE makes for virtual machines and containers, by their names: qemu-server's tap,
// fwbr, fwpr and fwln, pve-container's veth, and lxc's own.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace pve_rdma {

inline constexpr std::array<std::string_view, 6> guest_link_prefixes{"tap",  "veth", "fwpr",
                                                                     "fwln", "fwbr", "lxc"};

inline bool is_guest_link(std::string_view name) {
    return std::ranges::any_of(guest_link_prefixes, [&](auto prefix) { return name.starts_with(prefix); });
}

}  // namespace pve_rdma
