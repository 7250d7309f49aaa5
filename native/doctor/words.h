// Order among the words of links: lanes, speeds, versions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/number.h"

namespace pve_rdma::doctor {

// "4X" -> 4; 0 when it is no width.
constexpr std::uint32_t lanes(std::string_view width) {
    if (!width.ends_with('X')) return 0;
    width.remove_suffix(1);
    return parse_number<std::uint32_t>(width).value_or(0);
}

// Slowest first; 0 when the word is not known.
constexpr int speed_order(std::string_view speed) {
    constexpr std::array<std::string_view, 9> words{"SDR", "DDR", "QDR", "FDR10", "FDR",
                                                    "EDR", "HDR", "NDR", "XDR"};
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] == speed) return static_cast<int>(i) + 1;
    return 0;
}

// "2.42.5000" -> {2, 42, 5000}; reading ends at what is no number: "24.10-1.1.4" -> {24, 10}.
inline std::vector<std::uint32_t> version_numbers(std::string_view text) {
    std::vector<std::uint32_t> numbers;
    while (true) {
        const auto end = text.find_first_not_of("0123456789");
        const auto number = parse_number<std::uint32_t>(text.substr(0, end));
        if (!number) return numbers;
        numbers.push_back(*number);
        if (end == std::string_view::npos || text[end] != '.') return numbers;
        text.remove_prefix(end + 1);
    }
}

}  // namespace pve_rdma::doctor
