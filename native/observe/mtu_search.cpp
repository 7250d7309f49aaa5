#include "observe/mtu_search.h"

#include <algorithm>
#include <cmath>

namespace pve_rdma {

namespace {

// MTUs that networks have: PPPoE, Ethernet, IPoIB of 2K and 4K, jumbo frames less tunnels; tried first, so
// that a usual boundary is found in a few steps.
constexpr std::uint32_t usual[]{1280, 1450, 1492, 1500, 2044, 4092, 8950, 9000};

// Silence at the boundary must be less likely than this to be loss.
constexpr double doubt = 0.001;
// After so many unanswered requests of one size the loss is too high to tell.
constexpr std::uint32_t most_tries = 16;
// A path that keeps contradicting itself ends the search.
constexpr std::uint32_t most_requests = 250;

}  // namespace

MtuSearch::MtuSearch(const MtuSearchOptions& options) : options_(options) {
    options_.smallest = std::min(options_.smallest, options_.largest);
}

MtuSearch::Tries MtuSearch::tries(std::uint32_t size) const {
    const auto found = tries_.find(size);
    return found == tries_.end() ? Tries{} : found->second;
}

void MtuSearch::sent(std::uint32_t size) {
    ++tries_[size].sent;
    ++requests_;
}

void MtuSearch::unanswered(std::uint32_t size) {
    ++tries_[size].silent;
}

void MtuSearch::answered(std::uint32_t size) {
    ++tries_[size].answered;
    ++answers_;
    reached_ = std::max(reached_, size);
}

void MtuSearch::too_big(std::uint32_t size, const IpAddress& router, std::uint32_t mtu) {
    tries_[size].refused = true;
    const bool usable = mtu >= options_.smallest && mtu < size;
    const std::uint32_t refuses = usable ? mtu + 1 : size;
    // The smallest MTU on the way is what counts; a router before it may name a larger one first.
    if (router_refuses_ && refuses > router_refuses_) return;
    router_refuses_ = refuses;
    router_ = router;
    router_mtu_ = usable ? std::optional(mtu) : std::nullopt;
}

void MtuSearch::too_big_for_own_link(std::uint32_t size) {
    tries_[size].refused = true;
    if (!own_link_refuses_ || size < own_link_refuses_) own_link_refuses_ = size;
}

void MtuSearch::unreachable(const std::optional<IpAddress>& router, const Unread& why) {
    refuser_ = router;
    refusal_ = why;
}

MtuSearch::Limit MtuSearch::limit() const {
    Limit smallest{.size = options_.largest + 1};
    const auto take = [&](std::uint32_t size, Bound bound) {
        // What was refused and yet is answered (a route that changed) does not bound.
        if (size > reached_ && size < smallest.size) smallest = {size, bound};
    };
    if (router_refuses_) take(router_refuses_, Bound::router);
    if (own_link_refuses_) take(own_link_refuses_, Bound::own_link);
    for (const auto& [size, count] : tries_)
        if (!count.answered && !count.refused && count.silent > options_.retries) take(size, Bound::silent);
    return smallest;
}

MtuSearch::Tries MtuSearch::of_sizes_that_pass() const {
    Tries sum;
    for (const auto& [size, count] : tries_) {
        if (size > reached_) break;
        sum.sent += count.sent;
        sum.answered += std::min(count.sent, count.answered);
    }
    return sum;
}

// The share of requests that get lost, at the most that the sizes that do pass make plausible: Agresti and
// Coull's upper bound with two standard deviations. A few lucky answers are no proof of a path without loss.
double MtuSearch::loss() const {
    const Tries passing = of_sizes_that_pass();
    const double all = passing.sent + 4.0, lost = passing.sent - passing.answered + 2.0;
    const double share = lost / all;
    return std::min(1.0, share + 2 * std::sqrt(share * (1 - share) / all));
}

bool MtuSearch::convincing(std::uint32_t silent_size) const {
    return std::pow(loss(), tries(silent_size).silent) <= doubt;
}

std::uint32_t MtuSearch::between(std::uint32_t low, std::uint32_t high) const {
    // low passes and high does not. The size after a usual one that passes settles most searches at once.
    const bool is_usual = std::ranges::find(usual, low) != std::end(usual);
    if (is_usual && low + 1 < high) return low + 1;
    std::uint32_t inside[std::size(usual)];
    std::size_t count = 0;
    for (const auto size : usual)
        if (size > low && size < high) inside[count++] = size;
    if (count) return inside[count / 2];
    return low + (high - low) / 2;
}

std::optional<std::uint32_t> MtuSearch::next() const {
    if (requests_ >= most_requests || reached_ >= options_.largest) return std::nullopt;
    const Limit bound = limit();
    if (!reached_) {
        if (bound.bound != Bound::none && bound.size <= options_.smallest) return std::nullopt;
        return options_.smallest;
    }
    if (bound.bound == Bound::none) return options_.largest;
    if (bound.size - reached_ > 1) {
        const bool named = bound.bound == Bound::router && router_mtu_;
        return named ? bound.size - 1 : between(reached_, bound.size);
    }
    if (bound.bound != Bound::silent || convincing(bound.size)) return std::nullopt;
    if (tries(bound.size).silent >= most_tries) return std::nullopt;
    // In turns, so that loss and silence are measured at the same time.
    return tries(bound.size).sent <= tries(reached_).sent ? bound.size : reached_;
}

std::string_view MtuSearch::verdict(const Limit& limit) const {
    if (reached_ >= options_.largest) return "passes";
    if (!reached_ && refusal_) return "unreachable";
    if (next() || (reached_ && limit.size > reached_ + 1)) return "unsure";
    switch (limit.bound) {
        case Bound::router:
            return "router";
        case Bound::own_link:
            return "own_link";
        case Bound::silent:
            if (!reached_) return "no_answer";
            return convincing(limit.size) ? "blackhole" : "unsure";
        case Bound::none:
            break;
    }
    return "unsure";
}

MtuProbe MtuSearch::result() const {
    const Limit smallest = limit();
    const Tries passing = of_sizes_that_pass();
    MtuProbe probe{.verdict = std::string(verdict(smallest)), .wanted = options_.largest};
    probe.requests = requests_;
    probe.answers = answers_;
    probe.lost = passing.sent - passing.answered;
    if (reached_) probe.reached = reached_;
    if (smallest.bound != Bound::none) probe.fails_at = smallest.size;
    if (router_refuses_ > reached_) {
        probe.router = router_;
        probe.router_mtu = router_mtu_;
    }
    if (probe.verdict == "unreachable") {
        probe.router = refuser_;
        probe.refusal = refusal_;
    }
    return probe;
}

}  // namespace pve_rdma
