#include "guard/debian_version.h"

#include <utility>

namespace pve_rdma::guard {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// A tilde sorts before the end of the text, letters before all else that is no digit.
int weight(std::string_view text, std::size_t at) {
    if (at >= text.size() || is_digit(text[at])) return 0;
    const char c = text[at];
    if (c == '~') return -1;
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return c;
    return static_cast<unsigned char>(c) + 256;
}

std::string_view take_number(std::string_view text, std::size_t& at) {
    while (at < text.size() && text[at] == '0')
        ++at;
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at]))
        ++at;
    return text.substr(begin, at - begin);
}

// Numbers of any length: the longer one is the larger one, since leading zeros are gone.
std::strong_ordering compare_numbers(std::string_view left, std::string_view right) {
    if (left.size() != right.size()) return left.size() <=> right.size();
    return left.compare(right) <=> 0;
}

std::strong_ordering compare_part(std::string_view left, std::string_view right) {
    std::size_t l = 0, r = 0;
    while (l < left.size() || r < right.size()) {
        while ((l < left.size() && !is_digit(left[l])) || (r < right.size() && !is_digit(right[r]))) {
            if (const auto order = weight(left, l) <=> weight(right, r); order != 0) return order;
            ++l;
            ++r;
        }
        if (const auto order = compare_numbers(take_number(left, l), take_number(right, r)); order != 0)
            return order;
    }
    return std::strong_ordering::equal;
}

struct Parts {
    std::string_view epoch, upstream, revision;
};

Parts parts_of(std::string_view version) {
    Parts parts;
    if (const auto colon = version.find(':'); colon != std::string_view::npos) {
        std::size_t at = 0;
        parts.epoch = take_number(version.substr(0, colon), at);
        version.remove_prefix(colon + 1);
    }
    const auto dash = version.rfind('-');
    parts.upstream = version.substr(0, dash);
    if (dash != std::string_view::npos) parts.revision = version.substr(dash + 1);
    return parts;
}

}  // namespace

std::strong_ordering compare_versions(std::string_view left, std::string_view right) {
    const Parts l = parts_of(left), r = parts_of(right);
    if (const auto order = compare_numbers(l.epoch, r.epoch); order != 0) return order;
    if (const auto order = compare_part(l.upstream, r.upstream); order != 0) return order;
    return compare_part(l.revision, r.revision);
}

}  // namespace pve_rdma::guard
