#include "guard/protected_set.h"

#include <algorithm>

#include "eni/glob.h"
#include "guard/relation.h"
#include "guard/stanza.h"

namespace pve_rdma::guard {

namespace {

struct Row {
    std::string_view tier, patterns, why;
};

constexpr Row rows[] = {
#define ROW(...) {__VA_ARGS__},
#include "guard/protected.inc"
#undef ROW
};

std::vector<std::string> patterns_of(std::string_view text, std::string_view kernel) {
    std::vector<std::string> patterns;
    while (const auto part = take_part(text, '|')) {
        std::string pattern(*part);
        if (const auto at = pattern.find("%r"); at != std::string::npos) pattern.replace(at, 2, kernel);
        patterns.push_back(std::move(pattern));
    }
    return patterns;
}

}  // namespace

bool Kept::matches(std::string_view name) const {
    return std::ranges::any_of(patterns,
                               [&](const std::string& pattern) { return eni::glob_match(pattern, name); });
}

std::vector<Kept> shipped_set(std::string_view kernel) {
    std::vector<Kept> set;
    for (const Row& row : rows)
        set.push_back({std::string(row.tier), patterns_of(row.patterns, kernel), std::string(row.why)});
    return set;
}

std::vector<Kept> local_set(std::string_view text, std::string_view kernel) {
    std::vector<Kept> set;
    while (const auto line = take_part(text, '\n')) {
        auto patterns = patterns_of(trimmed(line->substr(0, line->find('#'))), kernel);
        if (!patterns.empty()) set.push_back({"local", std::move(patterns), "asked for on this node"});
    }
    return set;
}

bool is_protected(const std::vector<Kept>& set, std::string_view name) {
    return std::ranges::any_of(set, [&](const Kept& kept) { return kept.matches(name); });
}

}  // namespace pve_rdma::guard
