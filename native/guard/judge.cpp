#include "guard/judge.h"

#include <algorithm>

#include "guard/after.h"
#include "guard/debian_version.h"

namespace pve_rdma::guard {

namespace {

// Another one of the line's alternatives stays.
bool another_stays(const Kept& kept, const std::vector<Package>& installed, const Change& change,
                   const After& after) {
    for (const Package& one : installed)
        if (one.present() && kept.matches(one.name) && after.stays(one.name)) return true;
    return std::ranges::any_of(change.incoming, [&](const Incoming& one) { return kept.matches(one.name); });
}

}  // namespace

std::vector<Loss> judge(const std::vector<Package>& installed, const std::vector<Kept>& kept,
                        const Change& change) {
    After after(installed, change);
    if (!change.dependencies_hold) after.follow_dependencies();
    std::vector<Loss> losses;
    for (std::size_t index = 0; index < installed.size(); ++index) {
        const Package& package = installed[index];
        const Incoming* coming = after.replacement(index);
        const bool older = coming && compare_versions(coming->version, package.version) < 0;
        if (!older && (!after.gone(index) || after.stays(package.name))) continue;
        const bool counts = std::ranges::any_of(kept, [&](const Kept& line) {
            if (!line.matches(package.name)) return false;
            return line.patterns.size() == 1 || (!older && !another_stays(line, installed, change, after));
        });
        if (!counts) continue;
        losses.push_back(
            {std::string(package.name),
             older ? "would become older: " + coming->version + " in place of " + std::string(package.version)
                   : after.reason(index)});
    }
    return losses;
}

std::vector<std::string> marked_for_removal(const std::vector<Package>& installed,
                                            const std::vector<Kept>& kept) {
    std::vector<std::string> names;
    for (const Package& package : installed)
        if (package.to_be_removed() && is_protected(kept, package.name)) names.emplace_back(package.name);
    return names;
}

}  // namespace pve_rdma::guard
