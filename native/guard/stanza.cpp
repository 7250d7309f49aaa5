#include "guard/stanza.h"

#include <algorithm>

namespace pve_rdma::guard {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

bool same_letters(std::string_view left, std::string_view right) {
    return std::ranges::equal(left, right, [](char l, char r) { return lower(l) == lower(r); });
}

std::optional<Field> take_field(std::string_view& stanza) {
    while (!stanza.empty()) {
        std::size_t end = stanza.find('\n');
        const auto head = stanza.substr(0, end);
        while (end != std::string_view::npos && end + 1 < stanza.size() &&
               (stanza[end + 1] == ' ' || stanza[end + 1] == '\t'))
            end = stanza.find('\n', end + 1);
        const auto whole = stanza.substr(0, end);
        stanza.remove_prefix(end == std::string_view::npos ? stanza.size() : end + 1);
        if (const auto colon = head.find(':'); colon != std::string_view::npos && colon != 0)
            return Field{head.substr(0, colon), whole.substr(colon + 1)};
    }
    return std::nullopt;
}

}  // namespace pve_rdma::guard
