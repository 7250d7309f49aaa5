// What rules ask of the addresses of interfaces.
#pragma once

#include <string>

#include <fmt/format.h>

#include "facts/address.h"
#include "facts/ip_network.h"

namespace pve_rdma::doctor {

// "192.0.2.0/24" of an interface's address.
inline std::string network_text(const Address& address) {
    return fmt::format("{}/{}", masked(*address.local, address.prefixlen).text(), address.prefixlen);
}

// Of the link alone (fe80::/10, 169.254/16) or of the host.
inline bool is_local_only(const Address& address) {
    return !address.local || address.scope == "link" || address.scope == "host" || address.ifname == "lo";
}

}  // namespace pve_rdma::doctor
