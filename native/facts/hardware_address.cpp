#include "facts/hardware_address.h"

#include <algorithm>

#include "base/number.h"

namespace pve_rdma {

std::string HardwareAddress::text() const {
    constexpr char digits[] = "0123456789abcdef";
    std::string out;
    if (length == 0) return out;
    out.resize(std::size_t{length} * 3 - 1, ':');
    for (std::size_t i = 0; i < length; ++i) {
        out[i * 3] = digits[octets[i] >> 4];
        out[i * 3 + 1] = digits[octets[i] & 15];
    }
    return out;
}

Result<HardwareAddress> HardwareAddress::parse(std::string_view text) {
    HardwareAddress address;
    const auto refuse = [&] {
        return std::unexpected(Error{.code = ErrorCode::malformed,
                                     .subject = std::string(text),
                                     .message = "not a link-layer address (octets in hex, with colons)"});
    };
    for (std::size_t at = 0; at < text.size(); at += 3) {
        if (address.length == max_length) return refuse();
        const auto octet = parse_number<std::uint8_t>(text.substr(at, 2), 16);
        const bool ended = at + 2 == text.size();
        if (!octet || text.size() - at < 2 || (!ended && text[at + 2] != ':') || at + 3 == text.size())
            return refuse();
        address.octets[address.length++] = *octet;
    }
    return address;
}

Result<HardwareAddress> HardwareAddress::from(std::span<const std::uint8_t> bytes) {
    if (bytes.size() > max_length)
        return std::unexpected(
            Error{.code = ErrorCode::malformed, .message = "a link-layer address of more than 32 octets"});
    HardwareAddress address;
    std::ranges::copy(bytes, address.octets.begin());
    address.length = static_cast<std::uint8_t>(bytes.size());
    return address;
}

}  // namespace pve_rdma
