// What the operations that change a network answer.
#pragma once

#include "base/describe.h"
#include "plan/planner.h"

namespace pve_rdma {

// A step as people and programs see it.
struct PlannedStep {
    std::uint32_t id = 0;  // from 1, in order
    std::string action{};  // "route.add"
    std::string text{};
    std::string undo{};  // what takes it back
    std::string risk{};  // "none", or what may happen to traffic besides

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("id", self.id);
        visit("do", self.action);
        visit("text", self.text);
        visit("undo", self.undo);
        visit("risk", self.risk);
    }
};

// Steps that only note what the way back needs are not among them; services that are restarted are.
std::vector<PlannedStep> planned_steps(const Plan&);

}  // namespace pve_rdma
