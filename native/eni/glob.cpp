#include "eni/glob.h"

namespace pve_rdma::eni {

namespace {

// The length of the bracket expression that the pattern begins with; 0 when it is none.
std::size_t bracket_length(std::string_view pattern) {
    if (!pattern.starts_with('[')) return 0;
    std::size_t at = 1;
    if (at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^')) ++at;
    const auto close = pattern.find(']', at + 1);  // a ] that stands first is a member
    return close == std::string_view::npos ? 0 : close + 1;
}

bool bracket_holds(std::string_view bracket, char c) {
    std::string_view members = bracket.substr(1, bracket.size() - 2);
    const bool negated = members.starts_with('!') || members.starts_with('^');
    if (negated) members.remove_prefix(1);
    for (std::size_t at = 0; at < members.size(); ++at) {
        if (at + 2 < members.size() && members[at + 1] == '-') {
            if (members[at] <= c && c <= members[at + 2]) return !negated;
            at += 2;
        } else if (members[at] == c) {
            return !negated;
        }
    }
    return negated;
}

// How much of the pattern the character takes; 0 when it does not match.
std::size_t take(std::string_view pattern, char c) {
    if (pattern.empty()) return 0;
    if (pattern[0] == '?') return 1;
    if (const auto length = bracket_length(pattern))
        return bracket_holds(pattern.substr(0, length), c) ? length : 0;
    return pattern[0] == c ? 1 : 0;
}

}  // namespace

bool has_wildcard(std::string_view pattern) {
    return pattern.find_first_of("*?[") != std::string_view::npos;
}

bool glob_match(std::string_view pattern, std::string_view name) {
    constexpr auto none = std::string_view::npos;
    std::size_t at = 0, in_pattern = 0, star = none, star_at = 0;
    while (at < name.size()) {
        if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
            star = ++in_pattern;
            star_at = at;
        } else if (const auto taken = take(pattern.substr(in_pattern), name[at])) {
            in_pattern += taken;
            ++at;
        } else if (star != none) {  // the last star takes one more
            in_pattern = star;
            at = ++star_at;
        } else {
            return false;
        }
    }
    while (in_pattern < pattern.size() && pattern[in_pattern] == '*')
        ++in_pattern;
    return in_pattern == pattern.size();
}

}  // namespace pve_rdma::eni
