#include "ofed/tables.h"

#include <algorithm>

#include "ofed/table_field.h"

namespace pve_rdma::ofed {

namespace {

consteval InstallerRow installer_row(Field id, Field first, Field last, Field debian, Field direct,
                                     Field dependents, Field remembers, Field immune, Field kernel_filter,
                                     Field certain, Field sure, Field source) {
    return {required(id),       required(first), last.text,        required(debian),
            yes(direct),        yes(dependents), yes(remembers),   yes(immune),
            yes(kernel_filter), yes(certain),    confidence(sure), required(source)};
}

consteval RemovalName removal_row(Field name, Field installers, Field sure, Field source) {
    return {required(name), required(installers), confidence(sure), required(source)};
}

consteval NamedFact named_row(Field name, Field sure, Field source) {
    return {required(name), confidence(sure), required(source)};
}

consteval ProtectedPattern protected_row(Field pattern, Field tier, Field sure, Field source) {
    return {required(pattern), required(tier), confidence(sure), required(source)};
}

constexpr InstallerRow installers[]{
#define ROW(...) installer_row(__VA_ARGS__),
#include "ofed/data/installers.inc"
#undef ROW
};
constexpr RemovalName removals[]{
#define ROW(...) removal_row(__VA_ARGS__),
#include "ofed/data/removal_names.inc"
#undef ROW
};
constexpr NamedFact immune[]{
#define ROW(...) named_row(__VA_ARGS__),
#include "ofed/data/immune.inc"
#undef ROW
};
constexpr ProtectedPattern patterns[]{
#define ROW(...) protected_row(__VA_ARGS__),
#include "ofed/data/protected.inc"
#undef ROW
};

}  // namespace

std::span<const InstallerRow> installer_rows() {
    return installers;
}
std::span<const RemovalName> removal_names() {
    return removals;
}
std::span<const NamedFact> immune_packages() {
    return immune;
}
std::span<const ProtectedPattern> protected_patterns() {
    return patterns;
}

std::optional<std::string_view> protected_tier(std::string_view package) {
    for (const auto& one : patterns)
        if (matches_pattern(package, one.pattern)) return one.tier;
    return std::nullopt;
}

bool matches_pattern(std::string_view text, std::string_view pattern) {
    // The last star takes as much as is needed: enough for patterns without "?" and sets.
    std::size_t at = 0, in = 0, star = std::string_view::npos, resume = 0;
    while (at < text.size()) {
        if (in < pattern.size() && pattern[in] == '*') {
            star = in++;
            resume = at;
        } else if (in < pattern.size() && pattern[in] == text[at]) {
            ++in;
            ++at;
        } else if (star != std::string_view::npos) {
            in = star + 1;
            at = ++resume;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', in) == std::string_view::npos;
}

}  // namespace pve_rdma::ofed
