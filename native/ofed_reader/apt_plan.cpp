// One question to apt, decided as apt-get decides it (apt-private's private-install.cc): asked packages are
// protected, installed without and then with what they need, the problem resolver settles the rest, and new
// packages that nobody needs in the end are dropped.
#include <algorithm>

#include <apt-pkg/algorithms.h>
#include <apt-pkg/cachefile.h>
#include <apt-pkg/configuration.h>
#include <apt-pkg/depcache.h>
#include <apt-pkg/error.h>
#include <apt-pkg/policy.h>
#include <apt-pkg/versionmatch.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ofed_reader/apt_reasons.h"
#include "ofed_reader/apt_world.h"

namespace pve_rdma::ofed {

namespace {

using Package = pkgCache::PkgIterator;
using Version = pkgCache::VerIterator;

void note_apt_errors(AptPlan& plan) {
    for (std::string line; !_error->empty();) {
        const bool bad = _error->PopMessage(line);
        if (bad) plan.problems.push_back(line);
    }
}

// A name that only others provide stands for the one package that does, as apt-get has it.
Package resolve(pkgCacheFile& cache, const std::string& name, AptPlan& plan) {
    pkgDepCache& depcache = *cache.GetDepCache();
    Package package = cache.GetPkgCache()->FindPkg(name);
    if (package.end()) {
        plan.problems.push_back(fmt::format("apt knows no package {}", name));
        return package;
    }
    if (!package.VersionList().end()) return package;
    Package only = cache.GetPkgCache()->PkgEnd();
    std::vector<std::string> providers;
    for (auto provides = package.ProvidesList(); !provides.end(); ++provides) {
        const Package owner = provides.OwnerPkg();
        if (depcache.GetCandidateVersion(owner) != provides.OwnerVer()) continue;
        if (std::ranges::find(providers, owner.Name()) == providers.end())
            providers.emplace_back(owner.Name());
        only = owner;
    }
    if (providers.size() == 1) return only;
    plan.problems.push_back(providers.empty()
                                ? fmt::format("{} has no version that could be installed", name)
                                : fmt::format("{} is provided by several packages ({}): one must be named",
                                              name, fmt::join(providers, ", ")));
    return cache.GetPkgCache()->PkgEnd();
}

// "name", "name:arch", "name=version".
std::vector<Package> mark_installs(pkgCacheFile& cache, const AptQuestion& question, pkgProblemResolver& fix,
                                   AptPlan& plan) {
    pkgDepCache& depcache = *cache.GetDepCache();
    std::vector<Package> asked;
    for (const auto& word : question.install) {
        const auto equals = word.find('=');
        Package package = resolve(cache, word.substr(0, equals), plan);
        if (package.end()) continue;
        Version version = depcache.GetCandidateVersion(package);
        if (equals != std::string::npos) {
            pkgVersionMatch match(word.substr(equals + 1), pkgVersionMatch::Version);
            version = match.Find(package);
        }
        if (version.end()) {
            plan.problems.push_back(fmt::format("{} has no version that could be installed", word));
            continue;
        }
        depcache.SetCandidateVersion(version);
        fix.Clear(package);
        fix.Protect(package);
        depcache.MarkInstall(package, false);
        asked.push_back(package);
    }
    for (auto& package : asked)
        if (depcache[package].InstBroken() || depcache[package].InstPolicyBroken())
            depcache.MarkInstall(package, true);
    return asked;
}

std::vector<Package> mark_removals(pkgCacheFile& cache, const AptQuestion& question, pkgProblemResolver& fix,
                                   AptPlan& plan) {
    std::vector<Package> asked;
    for (const auto& word : question.remove) {
        Package package = cache.GetPkgCache()->FindPkg(word);
        if (package.end()) {
            plan.problems.push_back(fmt::format("apt knows no package {}", word));
            continue;
        }
        if (package.CurrentVer().end()) continue;
        fix.Clear(package);
        fix.Protect(package);
        fix.Remove(package);
        cache.GetDepCache()->MarkDelete(package, false);
        asked.push_back(package);
    }
    return asked;
}

// New packages that turned out not to be needed are not installed; what that breaks comes back.
void drop_garbage(pkgCacheFile& cache) {
    pkgDepCache& depcache = *cache.GetDepCache();
    std::vector<Package> dropped;
    {
        pkgDepCache::ActionGroup group(depcache);
        for (Package package = cache.GetPkgCache()->PkgBegin(); !package.end(); ++package)
            if (depcache[package].Garbage && package.CurrentVer().end() && depcache[package].Install()) {
                dropped.push_back(package);
                depcache.MarkDelete(package, false);
            }
    }
    for (bool changed = true;
         changed && (depcache.BrokenCount() != 0 || depcache.PolicyBrokenCount() != 0);) {
        changed = false;
        for (auto& package : dropped) {
            const auto needed = [&] {
                for (auto need = package.RevDependsList(); !need.end(); ++need) {
                    if (need->Type != pkgCache::Dep::Depends && need->Type != pkgCache::Dep::PreDepends &&
                        need->Type != pkgCache::Dep::Recommends)
                        continue;
                    const Package parent = need.ParentPkg();
                    if (depcache[parent].InstVerIter(depcache) != need.ParentVer()) continue;
                    if (depcache[parent].InstBroken() || depcache[parent].InstPolicyBroken()) return true;
                }
                return false;
            };
            if (depcache[package].Install() || !needed()) continue;
            depcache.MarkInstall(package, false, 0, false);
            changed = true;
        }
    }
}

void note_broken(pkgCacheFile& cache, AptPlan& plan) {
    pkgDepCache& depcache = *cache.GetDepCache();
    for (Package package = cache.GetPkgCache()->PkgBegin(); !package.end() && plan.problems.size() < 50;
         ++package) {
        if (!depcache[package].InstBroken()) continue;
        const Version version = depcache[package].InstVerIter(depcache);
        for (auto need = version.DependsList(); !need.end();) {
            pkgCache::DepIterator start, end;
            need.GlobOr(start, end);
            if (!depcache.IsImportantDep(end)) continue;
            if ((depcache[end] & pkgDepCache::DepGInstall) == pkgDepCache::DepGInstall) continue;
            plan.problems.push_back(
                fmt::format("{} {} {}", package.FullName(true), relation_words(end), end.TargetPkg().Name()));
        }
    }
}

std::string_view action_of(const pkgDepCache::StateCache& state) {
    if (state.Delete()) return "remove";
    if (state.NewInstall()) return "install";
    if (state.Upgrade()) return "upgrade";
    if (state.Downgrade()) return "downgrade";
    if (state.ReInstall()) return "reinstall";
    return {};
}

void note_changes(pkgCacheFile& cache, const Reasons& reasons, AptPlan& plan) {
    pkgDepCache& depcache = *cache.GetDepCache();
    for (Package package = cache.GetPkgCache()->PkgBegin(); !package.end(); ++package) {
        auto& state = depcache[package];
        const auto action = action_of(state);
        if (action.empty() || (state.Keep() && !state.ReInstall())) continue;
        AptChange change;
        change.name = package.Name();
        change.arch = package.Arch();
        change.action = action;
        if (const Version current = package.CurrentVer(); !current.end()) {
            change.from = current.VerStr();
            if (package->SelectedState == pkgCache::State::Hold) plan.held.push_back(package.FullName(true));
        }
        if (const Version next = state.InstVerIter(depcache); !next.end()) change.to = next.VerStr();
        change.chain = reasons.chain(package);
        plan.changes.push_back(std::move(change));
    }
    std::ranges::sort(plan.changes, {},
                      [](const AptChange& change) { return std::tie(change.name, change.arch); });
}

}  // namespace

AptPlan AptWorld::plan(const AptQuestion& question) {
    AptPlan plan;
    plan.id = question.id;
    pkgDepCache& depcache = *cache_->GetDepCache();
    depcache.Init(nullptr);
    if (depcache.BrokenCount() != 0) {
        note_broken(*cache_, plan);
        plan.problems.insert(plan.problems.begin(),
                             "the node's packages are broken as they are: apt refuses to go on");
        return plan;
    }
    pkgProblemResolver fix(&depcache);
    std::vector<Package> installs, removals;
    {
        pkgDepCache::ActionGroup group(depcache);
        removals = mark_removals(*cache_, question, fix, plan);
        installs = mark_installs(*cache_, question, fix, plan);
    }
    if (!plan.problems.empty()) return plan;
    weighed_ = weighed_ || depcache.BrokenCount() != 0;
    plan.solved = (fix.Resolve(true, nullptr) || depcache.BrokenCount() == 0) && depcache.BrokenCount() == 0;
    if (!plan.solved) {
        note_broken(*cache_, plan);
        note_apt_errors(plan);
        return plan;
    }
    drop_garbage(*cache_);
    note_changes(*cache_, Reasons(*cache_, installs, removals), plan);
    _error->Discard();
    return plan;
}

}  // namespace pve_rdma::ofed
