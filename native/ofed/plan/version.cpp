#include "ofed/plan/version.h"

#include "base/number.h"

namespace pve_rdma::ofed {

namespace {

bool digit(char c) {
    return c >= '0' && c <= '9';
}

// "~" sorts before the end of a part, letters before all other signs.
int order(std::string_view text, std::size_t at) {
    if (at >= text.size() || digit(text[at])) return 0;
    const char c = text[at];
    if (c == '~') return -1;
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter ? static_cast<unsigned char>(c) : static_cast<unsigned char>(c) + 256;
}

std::string_view number_at(std::string_view text, std::size_t& at) {
    while (at < text.size() && text[at] == '0')
        ++at;
    const std::size_t begin = at;
    while (at < text.size() && digit(text[at]))
        ++at;
    return text.substr(begin, at - begin);
}

std::strong_ordering compare_part(std::string_view a, std::string_view b) {
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
        while ((i < a.size() && !digit(a[i])) || (j < b.size() && !digit(b[j]))) {
            if (const auto less = order(a, i) <=> order(b, j); less != 0) return less;
            i += i < a.size();
            j += j < b.size();
        }
        const auto left = number_at(a, i), right = number_at(b, j);
        if (const auto less = left.size() <=> right.size(); less != 0) return less;
        if (const auto less = left.compare(right) <=> 0; less != 0) return less;
    }
    return std::strong_ordering::equal;
}

struct Parts {
    std::uint32_t epoch = 0;
    std::string_view upstream, revision;
};

Parts split(std::string_view version) {
    Parts parts;
    if (const auto colon = version.find(':'); colon != std::string_view::npos) {
        parts.epoch = parse_number<std::uint32_t>(version.substr(0, colon)).value_or(0);
        version.remove_prefix(colon + 1);
    }
    const auto dash = version.rfind('-');
    parts.upstream = version.substr(0, dash);
    if (dash != std::string_view::npos) parts.revision = version.substr(dash + 1);
    return parts;
}

}  // namespace

std::strong_ordering compare_versions(std::string_view a, std::string_view b) {
    const Parts left = split(a), right = split(b);
    if (const auto less = left.epoch <=> right.epoch; less != 0) return less;
    if (const auto less = compare_part(left.upstream, right.upstream); less != 0) return less;
    return compare_part(left.revision, right.revision);
}

}  // namespace pve_rdma::ofed
