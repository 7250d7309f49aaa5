#include "base/text.h"

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

std::vector<std::string> lines_of(std::string_view text, std::size_t columns) {
    std::vector<std::string> lines(1);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        std::string& line = lines.back();
        if (line.empty())
            line = word;
        else if (columns_of(line) + 1 + columns_of(word) <= columns)
            line += fmt::format(" {}", word);
        else
            lines.emplace_back(word);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace pve_rdma
