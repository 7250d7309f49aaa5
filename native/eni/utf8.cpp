#include "eni/utf8.h"

namespace pve_rdma::eni {

std::size_t decode_utf8(std::string_view text, char32_t& point) {
    if (text.empty()) return 0;
    const auto octet = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned char first = octet(0);
    if (first < 0x80) {
        point = first;
        return 1;
    }
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
    char32_t value = first & (0xffu >> (length + 1));
    for (std::size_t at = 1; at < length; ++at) {
        if ((octet(at) & 0xc0) != 0x80) return 0;
        value = value << 6 | (octet(at) & 0x3f);
    }
    constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return 0;
    point = value;
    return length;
}

std::size_t first_invalid_utf8(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        char32_t point = 0;
        const auto length = decode_utf8(text.substr(at), point);
        if (length == 0) return at;
        at += length;
    }
    return std::string_view::npos;
}

}  // namespace pve_rdma::eni
