#include "ofed/plan/dependents.h"

#include <algorithm>
#include <ranges>

namespace pve_rdma::ofed {

namespace {

// Architectures of a dependency and of what shall fulfil it (Debian wiki, Multiarch/Implementation).
bool arch_fits(const InstalledPackage& depender, const Target& target, const InstalledPackage& candidate) {
    if (target.arch == "any")
        return candidate.allowed || candidate.foreign || candidate.arch == depender.arch;
    if (!target.arch.empty()) return candidate.arch == target.arch;
    return candidate.foreign || candidate.arch == depender.arch || candidate.arch == "all" ||
           depender.arch == "all";
}

bool fulfils(const InstalledPackage& candidate, const Target& target) {
    if (candidate.name == target.name && target.takes(candidate.version)) return true;
    return std::ranges::any_of(candidate.provides, [&](const Target& provided) {
        return provided.name == target.name && target.takes(provided.version);
    });
}

bool fulfilled(const Installed& installed, const InstalledPackage& depender, const Group& group,
               const Removed& removed) {
    return std::ranges::any_of(group, [&](const Target& target) {
        return std::ranges::any_of(installed.candidates(target.name), [&](std::size_t index) {
            const auto& candidate = installed.at(index);
            return candidate.usable() && !removed.holds(index) && arch_fits(depender, target, candidate) &&
                   fulfils(candidate, target);
        });
    });
}

// Visits the packages whose dependencies name the package or what it provides, last of the file first.
template <class Use>
void each_depender(const Installed& installed, const InstalledPackage& package, Use&& use) {
    const auto of_name = [&](std::string_view name) {
        for (const auto index : installed.dependers(name) | std::views::reverse)
            use(index);
    };
    of_name(package.name);
    for (const auto& provided : package.provides)
        of_name(provided.name);
}

}  // namespace

std::vector<std::size_t> Removed::list() const {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < gone_.size(); ++i)
        if (gone_[i]) indices.push_back(i);
    return indices;
}

const Group* broken_need(const Installed& installed, const InstalledPackage& package,
                         const Removed& removed) {
    for (const auto& group : package.needs)
        if (!fulfilled(installed, package, group, removed)) return &group;
    return nullptr;
}

std::vector<std::size_t> direct_dependents(const Installed& installed, std::size_t package) {
    Removed removed(installed);
    removed.add(package);
    std::vector<std::size_t> found;
    each_depender(installed, installed.at(package), [&](std::size_t index) {
        if (index == package || !installed.at(index).usable()) return;
        if (std::ranges::find(found, index) != found.end()) return;
        if (broken_need(installed, installed.at(index), removed)) found.push_back(index);
    });
    return found;
}

void close_over_dependents(const Installed& installed, Removed& removed) {
    std::vector<std::size_t> waiting = removed.list();
    while (!waiting.empty()) {
        const auto package = waiting.back();
        waiting.pop_back();
        each_depender(installed, installed.at(package), [&](std::size_t index) {
            if (removed.holds(index) || !installed.at(index).present()) return;
            if (broken_need(installed, installed.at(index), removed)) {
                removed.add(index);
                waiting.push_back(index);
            }
        });
    }
}

}  // namespace pve_rdma::ofed
