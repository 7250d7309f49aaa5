#include "ofed/plan/relations.h"

#include "base/trimmed.h"
#include "ofed/plan/version.h"

namespace pve_rdma::ofed {

namespace {

constexpr std::size_t max_groups = 4096;

// The text up to the separator; `rest` keeps what is behind it.
std::string_view cut(std::string_view& rest, char separator) {
    const auto end = rest.find(separator);
    const auto part = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    return trimmed(part);
}

// "<" and ">" are old spellings of "<=" and ">=".
Compare comparison(std::string_view& text) {
    struct Sign {
        std::string_view text;
        Compare compare;
    };
    constexpr Sign signs[]{
        {"<<", Compare::less},    {"<=", Compare::less_or_equal}, {">=", Compare::greater_or_equal},
        {">>", Compare::greater}, {"<", Compare::less_or_equal},  {">", Compare::greater_or_equal},
        {"=", Compare::equal}};
    for (const auto& sign : signs)
        if (text.starts_with(sign.text)) {
            text.remove_prefix(sign.text.size());
            return sign.compare;
        }
    return Compare::any;
}

Target target_of(std::string_view text) {
    Target target;
    const auto name_end = text.find_first_of(" \t\r\n([<");
    target.name = text.substr(0, name_end);
    if (const auto colon = target.name.find(':'); colon != std::string_view::npos) {
        target.arch = target.name.substr(colon + 1);
        target.name = target.name.substr(0, colon);
    }
    const auto open = text.find('(');
    if (open == std::string_view::npos) return target;
    auto inside = trimmed(text.substr(open + 1, text.find(')', open) - open - 1));
    target.compare = comparison(inside);
    target.version = trimmed(inside);
    return target;
}

}  // namespace

bool Target::takes(std::string_view candidate) const {
    if (compare == Compare::any) return true;
    if (candidate.empty()) return false;
    const auto order = compare_versions(candidate, version);
    switch (compare) {
        case Compare::less:
            return order < 0;
        case Compare::less_or_equal:
            return order <= 0;
        case Compare::equal:
            return order == 0;
        case Compare::greater_or_equal:
            return order >= 0;
        case Compare::greater:
            return order > 0;
        case Compare::any:
            break;
    }
    return true;
}

std::vector<Group> parse_relations(std::string_view field) {
    std::vector<Group> groups;
    while (!field.empty() && groups.size() < max_groups) {
        auto text = cut(field, ',');
        Group group;
        while (!text.empty())
            if (const auto target = target_of(cut(text, '|')); !target.name.empty()) group.push_back(target);
        if (!group.empty()) groups.push_back(std::move(group));
    }
    return groups;
}

}  // namespace pve_rdma::ofed
