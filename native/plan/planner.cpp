#include "plan/planner.h"

#include <iterator>

#include "network/sysctl_profile.h"
#include "plan/merge.h"
#include "plan/order.h"
#include "plan/persist.h"
#include "plan/persist_subnet_manager.h"
#include "plan/refuse.h"

namespace pve_rdma {

namespace {

// What the document itself says counts for more than its profile.
Desired with_profile(Desired desired, const Network& now) {
    if (!desired.sysctl_profile) return desired;
    for (const auto& advice : find_sysctl_profile(*desired.sysctl_profile)->advice) {
        const std::string name(advice.name);
        const auto known = now.sysctls.find(name);
        if (!advice.value.empty() && known != now.sysctls.end())
            desired.sysctl.try_emplace(name, raised(known->second, advice.value));
    }
    return desired;
}

}  // namespace

Result<Plan> make_plan(const PlanInput& input) {
    Plan plan;
    const Desired desired = with_profile(input.desired, input.now);
    Merged merged = merge(input.now, desired);
    plan.refusals = std::move(merged.refusals);
    plan.notes = std::move(merged.notes);
    const Safety safety{input.now, merged.target, desired, input.report, input.caller, input.disks};
    std::ranges::move(refusals(safety), std::back_inserter(plan.refusals));
    std::ranges::move(cautions(safety), std::back_inserter(plan.notes));
    plan.steps = ordered_steps(input.now, merged.target);
    if (input.files) {
        auto kept = persist(desired, merged.target, *input.files, input.interfaces);
        if (!kept) return std::unexpected(kept.error());
        if (desired.subnet_manager)
            if (auto done =
                    persist_subnet_manager(*desired.subnet_manager, input.report, *input.files, *kept);
                !done)
                return std::unexpected(done.error());
        plan.files = std::move(kept->files);
        plan.diff = std::move(kept->diff);
        // What cannot be would only be said a second time as a fault of the file that asks for it.
        if (plan.refusals.empty()) plan.refusals = std::move(kept->refusals);
        std::ranges::move(kept->notes, std::back_inserter(plan.notes));
    } else if (desired.subnet_manager) {
        plan.notes.push_back("the subnet manager stays as it is: it reads files, and files are left alone");
    }
    plan.target = std::move(merged.target);
    return plan;
}

}  // namespace pve_rdma
