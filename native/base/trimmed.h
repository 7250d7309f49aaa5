// A text without what stands blank at its two ends.
#pragma once

#include <string_view>

namespace pve_rdma {

constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n") {
    const auto first = text.find_first_not_of(blanks);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace pve_rdma
