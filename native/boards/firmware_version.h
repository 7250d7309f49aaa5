// Firmware versions of ConnectX cards: three numbers, compared as numbers ("2.42.5000", "16.35.2000").
//
// The first number names the chip (2: ConnectX-2 and ConnectX-3, 12: ConnectX-4, 16: ConnectX-5 ...), so
// versions of different families do not compare in a useful way. Source: get_dev_fw_str() of mlx4_ib
// ("%d.%d.%d") and mlx5_ib ("%d.%d.%04d").
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace pve_rdma {

struct FirmwareVersion {
    std::uint16_t major_number = 0, minor_number = 0, sub_minor = 0;

    // Exactly three decimal numbers with points between, each at most 65535; nothing else.
    static constexpr std::optional<FirmwareVersion> read(std::string_view text) {
        std::uint32_t numbers[3]{};
        std::size_t at = 0;
        for (int i = 0; i < 3; ++i) {
            if (i > 0) {
                if (at >= text.size() || text[at] != '.') return std::nullopt;
                ++at;
            }
            const std::size_t begin = at;
            for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
                numbers[i] = numbers[i] * 10 + static_cast<std::uint32_t>(text[at] - '0');
                if (numbers[i] > 0xffff) return std::nullopt;
            }
            if (at == begin) return std::nullopt;
        }
        if (at != text.size()) return std::nullopt;
        return FirmwareVersion{static_cast<std::uint16_t>(numbers[0]), static_cast<std::uint16_t>(numbers[1]),
                               static_cast<std::uint16_t>(numbers[2])};
    }
    // The same; ErrorCode::malformed for any other text.
    static Result<FirmwareVersion> parse(std::string_view text);
    std::string text() const;  // as the driver of the chip writes it

    constexpr auto operator<=>(const FirmwareVersion&) const = default;
};

}  // namespace pve_rdma
