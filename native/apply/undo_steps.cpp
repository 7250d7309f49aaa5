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

// What one step cannot does not keep the others from being tried: a kernel may end at the first failure.
void carry_out(Kernel& kernel, std::span<const Step> steps, Failures& failures) {
    while (!steps.empty()) {
        std::size_t next = steps.size();
        for (auto& failure : kernel.carry_out(steps)) {
            next = failure.index + 1;
            failures[object_of(steps[failure.index])] = std::move(failure.error);
        }
        steps = steps.subspan(next);
    }
}

void carry_out_in_pieces(Kernel& kernel, const std::vector<Step>& steps, Failures& failures) {
    for (const auto& piece : pieces_of(steps, longest_piece))
        carry_out(kernel, piece, failures);
}

// All steps about objects that are not as before: where one object has several, an earlier one may be the one
// that fits its present value.
std::vector<Step> steps_about(std::span<const Step> steps, const std::vector<std::size_t>& places) {
    std::unordered_set<std::string> objects;
    for (const auto place : places)
        objects.insert(object_of(steps[place]));
    std::vector<Step> chosen;
    for (const auto& step : steps)
        if (objects.contains(object_of(step))) chosen.push_back(step);
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
    carry_out_in_pieces(kernel, back, failures);
    std::optional<Error> unread;
    std::vector<std::size_t> places;
    for (int attempt = 1;; ++attempt) {
        const auto network = kernel.read();
        unread = network ? std::nullopt : std::optional(network.error());
        if (network) {
            places = unmet(*network, back);
            if (places.empty()) return;
        }
        if (attempt == attempts) break;
        // One thing may have kept another from being restored: once more, in the same order.
        if (network) {
            failures.clear();
            carry_out_in_pieces(kernel, steps_about(back, places), failures);
        }
    }
    if (unread)
        undone.fail("what the kernel shows now cannot be read: " + unread->text());
    else
        for (const auto place : places)
            judge(back[place], failures, undone);
}

}  // namespace pve_rdma
