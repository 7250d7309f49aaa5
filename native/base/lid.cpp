#include "base/lid.h"

#include <fmt/format.h>

#include "base/number.h"

namespace pve_rdma {

Result<Lid> Lid::from(std::uint32_t value) {
    if (value >= 1 && value <= 0xbfff) return Lid(static_cast<std::uint16_t>(value));
    return std::unexpected(Error{.code = ErrorCode::bad_request,
                                 .subject = std::to_string(value),
                                 .message = "not a unicast LID",
                                 .hint = "LIDs of ports are 1 to 49151 (0xbfff)"});
}

Result<Lid> Lid::parse(std::string_view text) {
    if (const auto value = parse_number<std::uint32_t>(text, 0)) return from(*value);
    return std::unexpected(Error{.code = ErrorCode::bad_request,
                                 .subject = std::string(text.substr(0, 20)),
                                 .message = "not a LID",
                                 .hint = "a LID is a number, as 4 or 0x4"});
}

}  // namespace pve_rdma
