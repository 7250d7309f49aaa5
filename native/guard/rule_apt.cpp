// The hook of apt. It sees the whole plan before anything is done. On a fault of its own it lets apt go on
// without approval: the hook of dpkg then judges each step.
#include <cstdio>

#include "guard/apt_plan.h"
#include "guard/files.h"
#include "guard/hooks.h"
#include "guard/node.h"
#include "guard/permit.h"
#include "guard/ruling.h"

namespace pve_rdma::guard {

namespace {

// A package that apt takes away for a moment and puts back newer is in the plan twice: it stays.
Change change_of(const AptPlan& plan) {
    Change change{.dependencies_hold = true};
    for (const AptStep& step : plan.steps) {
        if (!step.removal)
            change.incoming.push_back(
                {.name = step.name, .architecture = step.architecture, .version = step.new_version});
        else if (!step.old_version.empty())
            change.removed.push_back(step.name + ":" + step.architecture);
    }
    return change;
}

}  // namespace

Ruling rule_apt(int input) {
    Ruling ruling{"apt", {}};
    const auto give_up = [](const Error& error) {
        std::fprintf(stderr, "pve-rdma guard: apt's plan is not judged as a whole: %s\n",
                     error.text().c_str());
        return Ruling{};
    };
    const auto text = read_text(input, "apt's plan", max_apt_plan);
    if (!text) return give_up(text.error());
    const auto plan = read_apt_plan(*text);
    if (!plan) return give_up(plan.error());
    if (!plan->status_file.empty() && !same_file(plan->status_file, std::string(own_admindir) + "/status"))
        return {};  // another system's packages
    const auto apt = find_caller(program);
    if (apt) ruling.call = apt->line();
    Node node;
    if (auto read = read_node(node); !read) return give_up(read.error());
    ruling.losses = judge(node.packages, node.kept, change_of(*plan));
    if (!passes(ruling)) return ruling;
    if (!apt) return give_up(apt.error());
    if (auto noted = approve_plan(*apt); !noted) return give_up(noted.error());
    return {};
}

}  // namespace pve_rdma::guard
