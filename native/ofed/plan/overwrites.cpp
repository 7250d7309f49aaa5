#include "ofed/plan/overwrites.h"

#include <algorithm>

#include "ofed/bundle/control.h"
#include "ofed/plan/relations.h"

namespace pve_rdma::ofed {

namespace {

constexpr std::size_t files_shown = 3;

// Replaces allows the overwriting; the same package in another version owns its files.
bool may_overwrite(const BundlePackage& package, const InstalledPackage& owner) {
    if (owner.name == package.name) return true;
    ControlReader reader(package.control, package.path);
    const auto stanza = reader.next();
    if (!stanza || !*stanza) return false;
    for (const auto& group : parse_relations((*stanza)->get("Replaces")))
        if (group.front().name == owner.name && group.front().takes(owner.version)) return true;
    return false;
}

}  // namespace

std::vector<Overwrite> find_overwrites(const std::vector<const BundlePackage*>& packages,
                                       const Installed& installed, const FileOwners& owners,
                                       const std::vector<std::string>& gone) {
    std::vector<Overwrite> found;
    for (const auto* package : packages) {
        std::map<std::string, Overwrite> by_owner;
        for (const auto& file : package->files) {
            const auto owner = owners.find(file);
            if (owner == owners.end() || std::ranges::find(gone, owner->second) != gone.end()) continue;
            auto& overwrite = by_owner[owner->second];
            if (overwrite.files.size() < files_shown) overwrite.files.push_back(file);
            ++overwrite.count;
        }
        for (auto& [name, overwrite] : by_owner) {
            const auto* owner = installed.find(name);
            if (!owner || !owner->present() || may_overwrite(*package, *owner)) continue;
            overwrite.package = package->name;
            overwrite.owner = name;
            found.push_back(std::move(overwrite));
        }
    }
    return found;
}

}  // namespace pve_rdma::ofed
