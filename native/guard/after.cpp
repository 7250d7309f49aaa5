#include "guard/after.h"

#include <algorithm>

#include "guard/relation.h"

namespace pve_rdma::guard {

namespace {

bool same_place(const Incoming& coming, const Package& package) {
    return coming.name == package.name && (coming.architecture == package.architecture ||
                                           coming.architecture == "all" || package.architecture == "all");
}

bool any_fits(std::string_view relations, char separator, std::string_view name, std::string_view version,
              std::string_view provides) {
    while (const auto part = take_part(relations, separator))
        if (fits(parse_relation(*part), name, version, provides)) return true;
    return false;
}

bool pushes_out(const Incoming& coming, const Package& package) {
    if (coming.name == package.name) return false;
    return any_fits(coming.conflicts, ',', package.name, package.version, package.provides) ||
           any_fits(coming.breaks, ',', package.name, package.version, package.provides) ||
           any_fits(package.conflicts, ',', coming.name, coming.version, coming.provides);
}

}  // namespace

bool names_package(std::string_view word, const Package& package) {
    const auto colon = word.find(':');
    return word.substr(0, colon) == package.name &&
           (colon == std::string_view::npos || word.substr(colon + 1) == package.architecture);
}

After::After(const std::vector<Package>& installed, const Change& change)
    : installed_(installed), change_(change), replacements_(installed.size()) {
    for (std::size_t index = 0; index < installed.size(); ++index) {
        const Package& package = installed[index];
        if (!package.present()) continue;
        for (const Incoming& coming : change.incoming)
            if (same_place(coming, package)) replacements_[index] = &coming;
        if (replacements_[index]) continue;
        for (const std::string& word : change.removed)
            if (names_package(word, package)) reasons_[index] = "would be removed";
        if (change.dependencies_hold) continue;  // what has to make way is among the removed
        for (const Incoming& coming : change.incoming)
            if (pushes_out(coming, package)) reasons_[index] = "would make way for " + coming.name;
    }
}

bool After::met_before(std::string_view group) const {
    return std::ranges::any_of(installed_, [&](const Package& one) {
        return one.present() && any_fits(group, '|', one.name, one.version, one.provides);
    });
}

bool After::met_after(std::string_view group) const {
    for (std::size_t index = 0; index < installed_.size(); ++index) {
        const Package& one = installed_[index];
        if (one.present() && !gone(index) && !replacements_[index] &&
            any_fits(group, '|', one.name, one.version, one.provides))
            return true;
    }
    return std::ranges::any_of(change_.incoming, [&](const Incoming& one) {
        return any_fits(group, '|', one.name, one.version, one.provides);
    });
}

std::string After::broken_group(std::size_t package) const {
    for (std::string_view groups : {installed_[package].pre_depends, installed_[package].depends})
        while (const auto group = take_part(groups, ','))
            if (met_before(*group) && !met_after(*group)) return std::string(*group);
    return {};
}

// Only a package that names what changed can fall, and most packages do not.
void After::follow_dependencies() {
    std::vector<std::string_view> changed;
    const auto add_names = [&](const Package& package) {
        changed.push_back(package.name);
        auto provides = package.provides;
        while (const auto part = take_part(provides, ','))
            changed.push_back(parse_relation(*part).name);
    };
    for (std::size_t index = 0; index < installed_.size(); ++index)
        if (gone(index) || replacements_[index]) add_names(installed_[index]);
    while (!changed.empty()) {
        const auto name = changed.back();
        changed.pop_back();
        for (std::size_t index = 0; index < installed_.size(); ++index) {
            const Package& one = installed_[index];
            if (!one.present() || gone(index) || replacements_[index]) continue;
            if (!one.depends.contains(name) && !one.pre_depends.contains(name)) continue;
            const std::string broken = broken_group(index);
            if (broken.empty()) continue;
            const auto culprit = std::ranges::find_if(reasons_, [&](const auto& fallen) {
                const Package& other = installed_[fallen.first];
                return any_fits(broken, '|', other.name, other.version, other.provides);
            });
            reasons_[index] =
                "needs " + broken +
                (culprit == reasons_.end() ? ", which the new version is not" : ", which " + culprit->second);
            add_names(one);
        }
    }
}

bool After::stays(std::string_view name) const {
    for (std::size_t index = 0; index < installed_.size(); ++index)
        if (installed_[index].name == name && installed_[index].present() && !gone(index)) return true;
    return std::ranges::find(change_.incoming, name, &Incoming::name) != change_.incoming.end();
}

}  // namespace pve_rdma::guard
