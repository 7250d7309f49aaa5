#include "ofed_reader/apt_reasons.h"

#include <algorithm>

#include <fmt/format.h>

namespace pve_rdma::ofed {

namespace {

using Package = pkgCache::PkgIterator;
using Version = pkgCache::VerIterator;
using Dependency = pkgCache::DepIterator;

bool is_need(const Dependency& need) {
    return need->Type == pkgCache::Dep::Depends || need->Type == pkgCache::Dep::PreDepends ||
           need->Type == pkgCache::Dep::Recommends;
}

std::string version_words(const Dependency& need) {
    if (!need.TargetVer()) return {};
    return fmt::format(" ({} {})", need.CompType(), need.TargetVer());
}

}  // namespace

std::string_view relation_words(const Dependency& need) {
    switch (need->Type) {
        case pkgCache::Dep::PreDepends:
        case pkgCache::Dep::Depends:
            return "depends on";
        case pkgCache::Dep::Recommends:
            return "recommends";
        case pkgCache::Dep::Conflicts:
            return "conflicts with";
        case pkgCache::Dep::DpkgBreaks:
            return "breaks";
        case pkgCache::Dep::Obsoletes:
        case pkgCache::Dep::Replaces:
            return "replaces";
        default:
            return "is related to";
    }
}

Reasons::Reasons(pkgCacheFile& cache, const std::vector<Package>& installs,
                 const std::vector<Package>& removals)
    : cache_(cache), depcache_(*cache.GetDepCache()) {
    for (const auto& package : removals)
        begin(package, fmt::format("{} is to be removed", package.Name()));
    for (const auto& package : installs)
        begin(package, fmt::format("{} is asked for", package.Name()));
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        const Package package = queue_[i];
        follow_needs(package);
        // Who depended on the version that goes, under its own name or one that it provides.
        follow_dependents(package, package.RevDependsList());
        if (const Version current = package.CurrentVer(); !current.end())
            for (auto provides = current.ProvidesList(); !provides.end(); ++provides)
                follow_dependents(package, provides.ParentPkg().RevDependsList());
    }
}

bool Reasons::changes(const Package& package) const {
    const auto& state = depcache_[package];
    return state.Delete() || state.Install();
}

void Reasons::begin(const Package& package, std::string words) {
    if (steps_.try_emplace(package->ID, Step{package->ID, std::move(words)}).second)
        queue_.push_back(package);
}

void Reasons::reach(const Package& from, const Package& to, std::string words) {
    if (!changes(to)) return;
    if (steps_.try_emplace(to->ID, Step{from->ID, std::move(words)}).second) queue_.push_back(to);
}

// What the version that stays or comes needs, and what it does not bear.
void Reasons::follow_needs(const Package& package) {
    const Version version = depcache_[package].InstVerIter(depcache_);
    if (version.end()) return;
    for (auto need = version.DependsList(); !need.end(); ++need) {
        if (!is_need(need) && !need.IsNegative()) continue;
        const std::unique_ptr<pkgCache::Version*[]> targets(need.AllTargets());
        for (auto target = targets.get(); *target; ++target) {
            const Version hit(*cache_.GetPkgCache(), *target);
            const Package other = hit.ParentPkg();
            auto& state = depcache_[other];
            // A need explains what comes; a conflict what goes, or what comes in another version.
            const bool explains = need.IsNegative()
                                      ? hit == other.CurrentVer() && (state.Delete() || state.Install())
                                      : state.Install() && hit == state.InstVerIter(depcache_);
            if (explains)
                reach(package, other,
                      fmt::format("{} {} {}{}", package.Name(), relation_words(need), need.TargetPkg().Name(),
                                  version_words(need)));
        }
    }
}

// Who cannot stay beside the version that comes, or without the one that goes.
void Reasons::follow_dependents(const Package& package, Dependency need) {
    const Version next = depcache_[package].InstVerIter(depcache_);
    for (; !need.end(); ++need) {
        if ((!is_need(need) && !need.IsNegative()) || need->Type == pkgCache::Dep::Recommends) continue;
        const Package other = need.ParentPkg();
        if (need.ParentVer() != other.CurrentVer() || other == package) continue;
        const bool hits = !next.end() && need.IsSatisfied(next);
        if (hits != need.IsNegative()) continue;
        reach(package, other,
              fmt::format("{} {} {}{}", other.Name(), relation_words(need), need.TargetPkg().Name(),
                          version_words(need)));
    }
}

std::vector<std::string> Reasons::chain(const Package& package) const {
    std::vector<std::string> words;
    for (auto at = steps_.find(package->ID); at != steps_.end(); at = steps_.find(at->second.from)) {
        words.push_back(at->second.words);
        if (at->second.from == at->first) break;
    }
    std::ranges::reverse(words);
    return words;
}

}  // namespace pve_rdma::ofed
