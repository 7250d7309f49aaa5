#include "ofed/tier.h"

#include "ofed/tables.h"

namespace pve_rdma::ofed {

std::optional<std::string> tier_of(const InstalledPackage& package) {
    if (const auto tier = protected_tier(package.name)) return std::string(*tier);
    // "metapackages", "contrib/metapackages"
    if (package.section.ends_with("metapackages")) return "metapackage";
    return std::nullopt;
}

std::optional<std::string> tier_of(const Installed* installed, std::string_view name) {
    if (const auto* package = installed ? installed->find(name) : nullptr) return tier_of(*package);
    const auto tier = protected_tier(name);
    return tier ? std::optional<std::string>(*tier) : std::nullopt;
}

}  // namespace pve_rdma::ofed
