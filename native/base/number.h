// Whole-text integer parsing: every character must belong to the number.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>

namespace pve_rdma {

// base 0 takes 0x prefixes; empty, trailing text, a sign on an unsigned type, or overflow give nullopt.
template <std::integral T>
std::optional<T> parse_number(std::string_view text, int base = 10) {
    if (base == 0) {
        base = 10;
        if (text.starts_with("0x") || text.starts_with("0X")) base = 16;
    }
    if (base == 16 && (text.starts_with("0x") || text.starts_with("0X"))) text.remove_prefix(2);
    T value{};
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace pve_rdma
