// UTF-8 as Python's strict decoder takes it: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <string_view>

namespace pve_rdma::eni {

// The position of the first octet that is no UTF-8; npos when all is well.
std::size_t first_invalid_utf8(std::string_view);
inline bool valid_utf8(std::string_view text) {
    return first_invalid_utf8(text) == std::string_view::npos;
}

// The length of the character at the begin, and 0 when it is no UTF-8; its number in `point`.
std::size_t decode_utf8(std::string_view text, char32_t& point);

}  // namespace pve_rdma::eni
