#include "base/guid.h"

#include <algorithm>

#include <arpa/inet.h>

#include <fmt/format.h>

namespace pve_rdma {

namespace {

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

std::uint64_t big_endian(const std::uint8_t* octets) {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i)
        value = value << 8 | octets[i];
    return value;
}

}  // namespace

std::string Guid::text() const {
    return fmt::format("0x{:016x}", value);
}

Result<Guid> Guid::parse(std::string_view text) {
    const auto refuse = [&](const char* why) {
        return std::unexpected(Error{.code = ErrorCode::malformed,
                                     .subject = std::string(text.substr(0, 40)),
                                     .message = why,
                                     .hint = "a GUID is 16 hexadecimal digits, as 0x0002c90300a1001a"});
    };
    std::string_view rest = text;
    if (rest.starts_with("0x") || rest.starts_with("0X")) rest.remove_prefix(2);
    std::uint64_t value = 0;
    int digits = 0;
    for (char c : rest) {
        if (c == ':') continue;
        const int digit = hex_digit(c);
        if (digit < 0) return refuse("not a GUID: a character is not hexadecimal");
        if (++digits > 16) return refuse("not a GUID: more than 16 digits");
        value = value << 4 | static_cast<unsigned>(digit);
    }
    if (digits == 0) return refuse("not a GUID: empty");
    return Guid{value};
}

std::string Gid::text() const {
    std::string out;
    for (std::size_t i = 0; i < octets.size(); i += 2)
        out += fmt::format("{}{:02x}{:02x}", i ? ":" : "", octets[i], octets[i + 1]);
    return out;
}

Result<Gid> Gid::parse(std::string_view text) {
    Gid gid;
    if (inet_pton(AF_INET6, std::string(text).c_str(), gid.octets.data()) != 1)
        return std::unexpected(Error{.code = ErrorCode::malformed,
                                     .subject = std::string(text.substr(0, 64)),
                                     .message = "not a GID",
                                     .hint = "a GID is written like an IPv6 address"});
    return gid;
}

Gid Gid::from(std::uint64_t prefix, Guid guid) {
    Gid gid;
    for (unsigned i = 0; i < 8; ++i) {
        gid.octets[i] = static_cast<std::uint8_t>(prefix >> (56 - 8 * i));
        gid.octets[8 + i] = static_cast<std::uint8_t>(guid.value >> (56 - 8 * i));
    }
    return gid;
}

std::uint64_t Gid::prefix() const {
    return big_endian(octets.data());
}
Guid Gid::guid() const {
    return Guid{big_endian(octets.data() + 8)};
}
bool Gid::is_zero() const {
    return std::ranges::all_of(octets, [](std::uint8_t octet) { return octet == 0; });
}

}  // namespace pve_rdma
