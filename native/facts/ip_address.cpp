#include "facts/ip_address.h"

#include <algorithm>

#include <arpa/inet.h>

#include "base/number.h"

namespace pve_rdma {

bool IpAddress::is_unspecified() const {
    return std::ranges::all_of(bytes(), [](std::uint8_t octet) { return octet == 0; });
}

bool IpAddress::is_multicast() const {
    return is_v6() ? octets[0] == 0xff : (octets[0] & 0xf0) == 0xe0;
}

std::string IpAddress::text() const {
    char out[INET6_ADDRSTRLEN];
    ::inet_ntop(is_v6() ? AF_INET6 : AF_INET, octets.data(), out, sizeof out);
    return out;
}

Result<IpAddress> IpAddress::parse(std::string_view text) {
    IpAddress address;
    const std::string copy(text);
    if (::inet_pton(AF_INET, copy.c_str(), address.octets.data()) == 1) return address;
    address.length = 16;
    if (::inet_pton(AF_INET6, copy.c_str(), address.octets.data()) == 1) return address;
    return std::unexpected(
        Error{.code = ErrorCode::malformed, .subject = copy, .message = "not an IP address"});
}

Result<IpAddress> IpAddress::from(std::span<const std::uint8_t> bytes) {
    if (bytes.size() != 4 && bytes.size() != 16)
        return std::unexpected(
            Error{.code = ErrorCode::malformed, .message = "an IP address of neither 4 nor 16 octets"});
    IpAddress address;
    std::ranges::copy(bytes, address.octets.begin());
    address.length = static_cast<std::uint8_t>(bytes.size());
    return address;
}

std::string IpPrefix::text() const {
    if (length == 0) return "default";
    if (length == address.length * 8) return address.text();
    return address.text() + "/" + std::to_string(length);
}

Result<IpPrefix> IpPrefix::parse(std::string_view text) {
    if (text == "default") return IpPrefix{};
    const auto slash = text.find('/');
    const auto address = IpAddress::parse(text.substr(0, slash));
    if (!address) return std::unexpected(address.error());
    const auto whole = static_cast<std::uint8_t>(address->length * 8);
    if (slash == std::string_view::npos) return IpPrefix{*address, whole};
    const auto length = parse_number<std::uint8_t>(text.substr(slash + 1));
    if (!length || *length > whole)
        return std::unexpected(Error{.code = ErrorCode::malformed,
                                     .subject = std::string(text),
                                     .message = "not a prefix (ADDRESS/LENGTH)"});
    return IpPrefix{*address, *length};
}

}  // namespace pve_rdma
