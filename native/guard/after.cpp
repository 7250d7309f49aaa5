#include "guard/after.h"

#include <algorithm>

#include "guard/relation.h"

namespace pve_rdma::guard {

namespace {

constexpr std::size_t max_reason = 500;  // of a chain, which could be as long as the list of packages

bool same_place(const Incoming& coming, const Package& package) {
    return coming.name == package.name && (coming.architecture == package.architecture ||
                                           coming.architecture == "all" || package.architecture == "all");
}

bool any_fits(std::string_view relations, std::string_view name, std::string_view version,
              std::string_view provides) {
    while (const auto part = take_part(relations, ','))
        if (guard::fits(parse_relation(*part), name, version, provides)) return true;
    return false;
}

bool fits(const Relation& relation, const Package& package) {
    return guard::fits(relation, package.name, package.version, package.provides);
}

void add_names(std::vector<std::string_view>& names, const Package& package) {
    names.push_back(package.name);
    auto provides = package.provides;
    while (const auto part = take_part(provides, ','))
        names.push_back(parse_relation(*part).name);
}

bool pushes_out(const Incoming& coming, const Package& package) {
    if (coming.name == package.name) return false;
    return any_fits(coming.conflicts, package.name, package.version, package.provides) ||
           any_fits(coming.breaks, package.name, package.version, package.provides) ||
           any_fits(package.conflicts, coming.name, coming.version, coming.provides);
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

bool After::met_before(std::string_view group, const NameIndex& index) const {
    while (const auto part = take_part(group, '|')) {
        const Relation relation = parse_relation(*part);
        for (const std::size_t place : index.bearers(relation.name))
            if (fits(relation, installed_[place])) return true;
    }
    return false;
}

bool After::met_after(std::string_view group, const NameIndex& index) const {
    while (const auto part = take_part(group, '|')) {
        const Relation relation = parse_relation(*part);
        for (const std::size_t place : index.bearers(relation.name))
            if (!gone(place) && !replacements_[place] && fits(relation, installed_[place])) return true;
        for (const Incoming& coming : change_.incoming)
            if (fits(relation, coming.name, coming.version, coming.provides)) return true;
    }
    return false;
}

std::string After::broken_group(std::size_t package, const NameIndex& index) const {
    for (std::string_view groups : {installed_[package].pre_depends, installed_[package].depends})
        while (const auto group = take_part(groups, ','))
            if (met_before(*group, index) && !met_after(*group, index)) return std::string(*group);
    return {};
}

std::string After::why_broken(std::string_view group, const NameIndex& index) const {
    const std::string needs = "needs " + std::string(group) + ", which ";
    while (const auto part = take_part(group, '|')) {
        const Relation relation = parse_relation(*part);
        for (const std::size_t place : index.bearers(relation.name))
            if (gone(place) && fits(relation, installed_[place]))
                return needs + (reason(place).size() < max_reason ? reason(place) : "...");
    }
    return needs + "the new version is not";
}

std::vector<std::string_view> After::changed_names() const {
    std::vector<std::string_view> names;
    for (std::size_t index = 0; index < installed_.size(); ++index)
        if (gone(index) || replacements_[index]) add_names(names, installed_[index]);
    return names;
}

void After::follow_dependencies() {
    auto changed = changed_names();
    // Most packages have no dependents, and then the index is not worth its while.
    if (std::ranges::none_of(installed_, [&](const Package& one) {
            return std::ranges::any_of(changed, [&](std::string_view name) {
                return one.depends.contains(name) || one.pre_depends.contains(name);
            });
        }))
        return;
    const NameIndex index(installed_);
    for (std::size_t next = 0; next < changed.size(); ++next) {  // nearest first: short chains
        for (const std::size_t place : index.dependents(changed[next])) {
            if (gone(place) || replacements_[place]) continue;
            const std::string broken = broken_group(place, index);
            if (broken.empty()) continue;
            reasons_[place] = why_broken(broken, index);
            add_names(changed, installed_[place]);
        }
    }
}

bool After::stays(std::string_view name) const {
    for (std::size_t index = 0; index < installed_.size(); ++index)
        if (installed_[index].name == name && installed_[index].present() && !gone(index)) return true;
    return std::ranges::find(change_.incoming, name, &Incoming::name) != change_.incoming.end();
}

}  // namespace pve_rdma::guard
