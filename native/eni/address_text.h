// Addresses as they stand in the file.
#pragma once

#include <array>
#include <optional>
#include <string>

namespace pve_rdma::eni {

struct AddressText {
    bool v6 = false;
    std::array<unsigned char, 16> octets{};
    std::optional<int> prefix;  // of "/24"; nullopt when there is none

    int length() const { return v6 ? 128 : 32; }
};

// "192.0.2.1", "192.0.2.1/24", "2001:db8::1/64"; nullopt for anything else.
std::optional<AddressText> parse_address(const std::string&);
// "255.255.255.0", "24" or "64"; nullopt for anything else, also for a mask with holes.
std::optional<int> parse_netmask(const std::string&);
bool same_subnet(const AddressText&, const AddressText&, int prefix);

}  // namespace pve_rdma::eni
