// A text without what stands blank at its two ends.
#pragma once

#include <string_view>

namespace pve_rdma {

// As isspace(3) in the locale "C", without its table.
constexpr bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

constexpr std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back()))
        text.remove_suffix(1);
    return text;
}

}  // namespace pve_rdma
