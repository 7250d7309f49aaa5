#include "eni/address_text.h"

#include <bit>

#include <arpa/inet.h>

#include "base/number.h"

namespace pve_rdma::eni {

std::optional<AddressText> parse_address(const std::string& text) {
    AddressText address;
    const auto slash = text.find('/');
    const std::string host = text.substr(0, slash);
    address.v6 = host.find(':') != std::string::npos;
    if (::inet_pton(address.v6 ? AF_INET6 : AF_INET, host.c_str(), address.octets.data()) != 1)
        return std::nullopt;
    if (slash != std::string::npos) {
        address.prefix = parse_netmask(text.substr(slash + 1));
        if (!address.prefix || *address.prefix > address.length()) return std::nullopt;
    }
    return address;
}

std::optional<int> parse_netmask(const std::string& text) {
    if (const auto prefix = parse_number<int>(text)) {
        if (*prefix < 0 || *prefix > 128) return std::nullopt;
        return prefix;
    }
    in_addr mask{};
    if (::inet_pton(AF_INET, text.c_str(), &mask) != 1) return std::nullopt;
    const std::uint32_t bits = ntohl(mask.s_addr);
    const int prefix = std::countl_one(bits);
    if (prefix < 32 && (bits << prefix) != 0) return std::nullopt;
    return prefix;
}

bool same_subnet(const AddressText& left, const AddressText& right, int prefix) {
    if (left.v6 != right.v6) return false;
    for (int bit = 0; bit < prefix; bit += 8) {
        const auto at = static_cast<std::size_t>(bit / 8);
        const int kept = std::min(8, prefix - bit);
        const unsigned mask = 0xffu << (8 - kept) & 0xffu;
        if ((left.octets[at] & mask) != (right.octets[at] & mask)) return false;
    }
    return true;
}

}  // namespace pve_rdma::eni
