#include "eni/name_pattern.h"

#include <cstdint>

#include "base/number.h"
#include "eni/glob.h"

namespace pve_rdma::eni {

namespace {

bool in_range(std::string_view pattern, std::string_view name) {
    const auto open = pattern.find('['), dash = pattern.find('-', open), close = pattern.find(']', open);
    if (open == std::string_view::npos || dash == std::string_view::npos || close == std::string_view::npos ||
        dash > close)
        return false;
    const auto first = parse_number<std::uint32_t>(pattern.substr(open + 1, dash - open - 1));
    const auto last = parse_number<std::uint32_t>(pattern.substr(dash + 1, close - dash - 1));
    const auto prefix = pattern.substr(0, open), suffix = pattern.substr(close + 1);
    if (!first || !last || name.size() <= prefix.size() + suffix.size() || !name.starts_with(prefix) ||
        !name.ends_with(suffix))
        return false;
    const auto digits = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
    const auto number = parse_number<std::uint32_t>(digits);
    return number && std::to_string(*number) == digits && *first <= *number && *number <= *last;
}

}  // namespace

bool is_pattern(std::string_view name) {
    return name == "all" || name.starts_with('/') || name.find('[') != std::string_view::npos;
}

bool matches_pattern(const std::string& pattern, const std::string& name) {
    if (pattern == "all") return true;
    if (pattern.starts_with('/')) return glob_match(std::string_view(pattern).substr(1), name);
    return in_range(pattern, name);
}

}  // namespace pve_rdma::eni
