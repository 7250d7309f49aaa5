#include "mad/render_text.h"

#include <algorithm>

namespace pve_rdma {

namespace {

bool starts_character(char octet) {
    return (static_cast<unsigned char>(octet) & 0xc0) != 0x80;
}

// Octets of the first `columns` characters.
std::size_t octets_of(std::string_view text, std::size_t columns) {
    std::size_t i = 0;
    for (; i < text.size(); ++i)
        if (starts_character(text[i]) && columns-- == 0) break;
    return i;
}

}  // namespace

std::size_t columns_of(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, starts_character));
}

std::string shortened(std::string_view text, std::size_t columns) {
    if (columns_of(text) <= columns) return std::string(text);
    if (columns <= 3) return std::string(columns, '.');
    return std::string(text.substr(0, octets_of(text, columns - 3))) + "...";
}

std::string wrapped(std::string_view label, std::string_view text) {
    const std::size_t indent = std::min(columns_of(label), text_columns / 2);
    const std::size_t room = text_columns - indent;
    std::string out(label);
    while (columns_of(text) > room) {
        std::size_t end = octets_of(text, room);
        const std::size_t space = text.rfind(' ', end);
        std::size_t next = end;
        if (space != std::string_view::npos && space > 0) {
            end = space;
            next = space + 1;
        }
        out += text.substr(0, end);
        out += '\n';
        out.append(indent, ' ');
        text.remove_prefix(next);
    }
    out += text;
    // A label without a text leaves no blanks behind.
    out.erase(out.find_last_not_of(' ') + 1);
    return out + '\n';
}

}  // namespace pve_rdma
