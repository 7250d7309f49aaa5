#include "ofed/verdict.h"

#include <algorithm>

#include "ofed/plan/chains.h"
#include "ofed/steps.h"
#include "ofed/tier.h"

namespace pve_rdma::ofed {

namespace {

using doctor::Finding;
using doctor::Severity;

void add_removed(const Situation& of, Verdict& verdict) {
    if (of.removal) {
        const auto& installed = *of.in.installed;
        const Chains chains(installed, of.removal->roots, of.removal->removed,
                            "has a name that the installer looks for");
        for (const auto index : of.removal->removed) {
            const auto& package = installed.at(index);
            verdict.removed.push_back({std::string(package.name), std::string(package.version), "installer",
                                       tier_of(package), chains.chain(index)});
        }
    }
    for (const auto& [id, by] :
         {std::pair{plan_prerequisites, "prerequisites"}, std::pair{plan_packages, "apt"}})
        if (const auto* plan = of.plan(id))
            for (const auto& change : plan->changes)
                if (change.action == "remove")
                    verdict.removed.push_back({change.name, change.from.value_or(""), by,
                                               tier_of(of.in.installed, change.name), change.chain});
    std::ranges::stable_sort(verdict.removed, [](const RemovedPackage& a, const RemovedPackage& b) {
        return a.tier.has_value() > b.tier.has_value();
    });
}

void add_modules(const Situation& of, Verdict& verdict) {
    const auto loaded = [&](const std::string& name) {
        return of.in.facts.loaded &&
               std::ranges::find(*of.in.facts.loaded, name) != of.in.facts.loaded->end();
    };
    for (const auto& module : of.replaced)
        verdict.modules.push_back(
            {module.name, "replaced", module.package, std::nullopt, loaded(module.name), {}});
    for (const auto& kernel : of.in.facts.kernels)
        for (const auto& module : lost_modules(kernel, of.replaced, of.in.facts))
            verdict.modules.push_back({module.name, "lost", std::nullopt, module.kernel,
                                       kernel.running && module.loaded, module.needs});
}

std::string level_of(const Judgement& judgement) {
    const auto worst = [&](Severity level) {
        return std::ranges::any_of(judgement.findings,
                                   [&](const Finding& one) { return one.severity == level; });
    };
    if (worst(Severity::error)) return "BLOCK";
    return worst(Severity::warning) || !judgement.unjudged.empty() ? "WARN" : "OK";
}

}  // namespace

Judgement judge(const CheckInput& input) {
    const Situation situation(input);
    doctor::Findings findings;
    for (auto* check : {check_removal, check_apt, check_bundle, check_cards, check_kernels, check_modules,
                        check_tools, check_cleanup})
        check(situation, findings);
    Judgement judgement;
    judgement.findings = std::move(findings.found());
    std::ranges::stable_sort(judgement.findings, std::ranges::greater{}, &Finding::severity);
    judgement.unjudged = findings.unjudged();
    Verdict& verdict = judgement.verdict;
    verdict.level = level_of(judgement);
    verdict.release = situation.release;
    verdict.flags = input.flags.words;
    for (const auto& bundle : input.bundles)
        verdict.bundles.push_back({bundle.path, bundle.kind, bundle.release, bundle.distro, bundle.machine,
                                   bundle.packages.size(), bundle.skipped});
    if (situation.installer) verdict.installer = situation.installer->generation;
    if (situation.removal) verdict.removal = to_string(situation.removal->outcome);
    add_removed(situation, verdict);
    if (const auto* plan = situation.plan(plan_packages)) verdict.changes = plan->changes;
    add_modules(situation, verdict);
    make_plan(situation, judgement.findings, verdict);
    return judgement;
}

}  // namespace pve_rdma::ofed
