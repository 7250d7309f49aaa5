// Which addresses stand in which network.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "facts/address.h"
#include "facts/ip_address.h"

namespace pve_rdma::doctor {

// The address with everything behind the prefix cleared.
inline IpAddress masked(IpAddress address, std::uint32_t length) {
    for (std::uint32_t i = 0; i < address.length; ++i) {
        const std::uint32_t kept = length >= (i + 1) * 8 ? 8 : length > i * 8 ? length - i * 8 : 0;
        address.octets[i] = static_cast<std::uint8_t>(address.octets[i] & (0xff00 >> kept));
    }
    return address;
}

inline bool covers(const IpAddress& network, std::uint32_t length, const IpAddress& address) {
    return network.length == address.length && masked(network, length) == masked(address, length);
}

// "192.0.2.0/24" of an interface's address.
inline std::string network_text(const Address& address) {
    return fmt::format("{}/{}", masked(*address.local, address.prefixlen).text(), address.prefixlen);
}

// Of the link alone (fe80::/10, 169.254/16) or of the host.
inline bool is_local_only(const Address& address) {
    return !address.local || address.scope == "link" || address.scope == "host" || address.ifname == "lo";
}

}  // namespace pve_rdma::doctor
