// Which addresses stand in which network.
#pragma once

#include <cstdint>

#include "facts/ip_address.h"

namespace pve_rdma {

// The address with everything behind the prefix cleared.
inline IpAddress masked(IpAddress address, std::uint32_t length) {
    for (std::uint32_t i = 0; i < address.length; ++i) {
        const std::uint32_t kept = length >= (i + 1) * 8 ? 8 : length > i * 8 ? length - i * 8 : 0;
        address.octets[i] = static_cast<std::uint8_t>(address.octets[i] & (0xff00 >> kept));
    }
    return address;
}

// False between families.
inline bool covers(const IpAddress& network, std::uint32_t length, const IpAddress& address) {
    return network.length == address.length && masked(network, length) == masked(address, length);
}

}  // namespace pve_rdma
