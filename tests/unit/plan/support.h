// Small networks for tests of plans.
#pragma once

#include <gtest/gtest.h>

#include "apply/fake_kernel.h"
#include "plan/order.h"
#include "plan/planner.h"

namespace pve_rdma::test {

inline Desired desired(const std::string& text) {
    auto parsed = parse_desired(text, "test");
    EXPECT_TRUE(parsed) << parsed.error().text() << " " << parsed.error().file << ":" << parsed.error().line;
    return parsed ? *parsed : Desired{};
}

inline Plan plan(const Network& now, const std::string& document, eni::FileReader* files = nullptr) {
    static const NodeReport nothing{};
    const Desired wanted = desired(document);
    auto made = make_plan({.now = now, .desired = wanted, .report = nothing, .files = files});
    EXPECT_TRUE(made) << made.error().text();
    return made ? std::move(*made) : Plan{};
}

inline std::vector<std::string> texts(const std::vector<Step>& steps) {
    std::vector<std::string> words;
    for (const auto& one : steps)
        words.push_back(one.text());
    return words;
}

// The steps, one failure or none.
inline void carry_out(FakeKernel& kernel, const std::vector<Step>& steps) {
    for (const auto& failure : kernel.carry_out(steps))
        ADD_FAILURE() << steps[failure.index].text() << ": " << failure.error.text();
}

// Brings a model to a state by a plan, so that a test begins from what the kernel would make of it.
inline void bring_to(FakeKernel& kernel, const std::string& document) {
    const Plan made = plan(*kernel.read(), document);
    for (const auto& refusal : made.refusals)
        ADD_FAILURE() << refusal.text();
    carry_out(kernel, made.steps);
}

inline NodeReport nothing_known() {
    return {};
}

}  // namespace pve_rdma::test
