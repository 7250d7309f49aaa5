#include "base/pkey.h"

#include <fmt/format.h>

#include "base/number.h"

namespace pve_rdma {

std::string PKey::text() const {
    return fmt::format("0x{:04x}", value);
}

Result<PKey> PKey::parse(std::string_view text) {
    if (const auto value = parse_number<std::uint16_t>(text, 16)) return PKey{*value};
    return std::unexpected(Error{.code = ErrorCode::malformed,
                                 .subject = std::string(text.substr(0, 20)),
                                 .message = "not a P_Key",
                                 .hint = "a P_Key is up to four hexadecimal digits, as 0x8001"});
}

}  // namespace pve_rdma
