#include "guard/relation.h"

#include "guard/debian_version.h"
#include "guard/stanza.h"

namespace pve_rdma::guard {

std::optional<std::string_view> take_part(std::string_view& text, char separator) {
    while (!text.empty()) {
        const auto end = text.find(separator);
        const auto part = trimmed(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (!part.empty()) return part;
    }
    return std::nullopt;
}

Relation parse_relation(std::string_view text) {
    Relation relation;
    text = trimmed(text);
    relation.name = text.substr(0, text.find_first_of(" \t\n:("));
    const auto open = text.find('('), close = text.find(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return relation;
    auto inside = trimmed(text.substr(open + 1, close - open - 1));
    const auto signs = inside.find_first_not_of("<=>");
    relation.operation = inside.substr(0, signs);
    relation.version = signs == std::string_view::npos ? "" : trimmed(inside.substr(signs));
    return relation;
}

bool version_fits(const Relation& relation, std::string_view version) {
    if (relation.operation.empty()) return true;
    const auto order = compare_versions(version, relation.version);
    if (relation.operation == "<<") return order < 0;
    if (relation.operation == ">>") return order > 0;
    if (relation.operation == "=") return order == 0;
    if (relation.operation.starts_with('<')) return order <= 0;
    return order >= 0;
}

bool fits(const Relation& relation, std::string_view name, std::string_view version,
          std::string_view provides) {
    if (relation.name == name && version_fits(relation, version)) return true;
    while (const auto part = take_part(provides, ',')) {
        const Relation provided = parse_relation(*part);
        if (provided.name != relation.name) continue;
        if (relation.operation.empty() ||
            (!provided.version.empty() && version_fits(relation, provided.version)))
            return true;
    }
    return false;
}

}  // namespace pve_rdma::guard
