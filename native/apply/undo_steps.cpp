#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "apply/undo.h"
#include "apply/unmet.h"

namespace pve_rdma {

namespace {

constexpr int attempts = 4;
constexpr std::size_t longest_piece = 4096;

// The latest error about each object.
using Failures = std::unordered_map<std::string, Error>;

// Steps that rest on none of each other: what one cannot does not keep the others from being tried. A kernel
// may end at the first failure.
void carry_out_each(Kernel& kernel, std::span<const Step> steps, Failures& failures) {
    while (!steps.empty()) {
        std::size_t next = steps.size();
        for (auto& failure : kernel.carry_out(steps)) {
            next = failure.index + 1;
            failures[object_of(steps[failure.index])] = std::move(failure.error);
        }
        steps = steps.subspan(next);
    }
}

// A step that others rest on is tried again before they are.
void carry_out_one(Kernel& kernel, std::span<const Step> step, Failures& failures) {
    for (int attempt = 1; attempt <= attempts; ++attempt) {
        auto refused = kernel.carry_out(step);
        if (refused.empty()) return;
        failures[object_of(step.front())] = std::move(refused.front().error);
        if (failures[object_of(step.front())].code == ErrorCode::conflict) return;
    }
}

void carry_out(Kernel& kernel, const std::vector<Step>& steps, Failures& failures) {
    for (const auto& piece : pieces_of(steps, longest_piece))
        if (piece.size() == 1)
            carry_out_one(kernel, piece, failures);
        else
            carry_out_each(kernel, piece, failures);
}

// Of an object that is to have its old value again: to make it, should nothing stand in its place by now. (A
// link that goes takes its routes along.)
std::optional<Step> made_anew(Step step) {
    if (step.address) step.address->before.reset();
    if (step.route) step.route->before.reset();
    if (step.rule) step.rule->before.reset();
    const bool has_old_value = (step.address && step.address->after) || (step.route && step.route->after) ||
                               (step.rule && step.rule->after);
    return has_old_value ? std::optional(std::move(step)) : std::nullopt;
}

// All steps about objects that are not as before: where one object has several, an earlier one may be the one
// that fits its present value.
std::vector<Step> steps_about(std::span<const Step> steps, const std::vector<std::size_t>& places) {
    std::unordered_set<std::string> objects;
    for (const auto place : places)
        objects.insert(object_of(steps[place]));
    std::vector<Step> chosen;
    for (const auto& step : steps)
        if (objects.contains(object_of(step))) {
            chosen.push_back(step);
            if (auto anew = made_anew(step)) chosen.push_back(std::move(*anew));
        }
    return chosen;
}

void judge(const Step& step, const Failures& failures, Undone& undone) {
    const auto failure = failures.find(object_of(step));
    if (failure == failures.end())
        undone.fail(fmt::format("{}: the kernel took it, but shows another value", step.text()));
    else if (failure->second.code == ErrorCode::not_found)
        undone.note(fmt::format("{}: gone ({})", step.text(), failure->second.text()));
    else if (failure->second.code == ErrorCode::conflict)
        undone.note(fmt::format("{}: left as it is ({})", step.text(), failure->second.text()));
    else
        undone.fail(fmt::format("{}: {}", step.text(), failure->second.text()));
}

}  // namespace

void undo_steps(Kernel& kernel, std::span<const Step> steps, Undone& undone) {
    const auto back = inverse({steps.begin(), steps.end()});
    Failures failures;
    carry_out(kernel, back, failures);
    std::optional<Error> unread;
    std::vector<std::size_t> places;
    for (int attempt = 1;; ++attempt) {
        const auto network = kernel.read_for(back);
        unread = network ? std::nullopt : std::optional(network.error());
        if (network) {
            places = unmet(*network, back);
            if (places.empty()) return;
        }
        if (attempt == attempts) break;
        // One thing may have kept another from being restored: once more, in the same order.
        if (network) {
            failures.clear();
            carry_out(kernel, steps_about(back, places), failures);
        }
    }
    if (unread)
        undone.fail("what the kernel shows now cannot be read: " + unread->text());
    else
        for (const auto place : places)
            judge(back[place], failures, undone);
}

}  // namespace pve_rdma
