// The search for the largest packet that reaches one peer: which size to try next, and what the answers mean.
//
// No clock and no socket: the driver (mtu_probe.h) sends what next() says, and tells what came of it. The
// state is the evidence, not a phase: how often each size was sent and answered, and what routers said. So a
// late answer, or one that contradicts an earlier silence, simply counts.
//
// Silence alone proves little: it may be loss. A size counts as silent after retries + 1 unanswered requests;
// the final boundary needs more of them, until loss explains its silence with less than 1 in 1000. The loss
// is estimated from sizes that do pass. Sources: RFC 1191, 8201, 8899 (DPLPMTUD, 5.3: search algorithms).
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "facts/mtu.h"

namespace pve_rdma {

struct MtuSearchOptions {
    std::uint32_t smallest = 84;   // an answer to this says that the peer is there
    std::uint32_t largest = 1500;  // what this node sends
    std::uint32_t retries = 3;
};

class MtuSearch {
  public:
    explicit MtuSearch(const MtuSearchOptions&);

    // The size of the next request; none when the verdict stands.
    std::optional<std::uint32_t> next() const;

    // What came of requests. `unanswered`: its time is up; an answer may still come.
    void sent(std::uint32_t size);
    void unanswered(std::uint32_t size);
    void answered(std::uint32_t size);
    // A router cannot pass on `size`. mtu 0: it names none. Values that cannot be are ignored.
    void too_big(std::uint32_t size, const IpAddress& router, std::uint32_t mtu);
    void too_big_for_own_link(std::uint32_t size);
    // The last one stands, and only while nothing was answered.
    void unreachable(const std::optional<IpAddress>& router, const Unread& why);

    // What is known now; "unsure" while next() would go on.
    MtuProbe result() const;

  private:
    struct Tries {
        std::uint32_t sent = 0;
        std::uint32_t silent = 0;  // time was up
        std::uint32_t answered = 0;
        bool refused = false;  // by a router or the own link
    };
    enum class Bound { none, silent, router, own_link };
    struct Limit {
        std::uint32_t size = 0;  // smallest size that is known not to pass
        Bound bound = Bound::none;
    };
    Tries tries(std::uint32_t size) const;
    Limit limit() const;
    bool convincing(std::uint32_t silent_size) const;
    Tries of_sizes_that_pass() const;
    double loss() const;
    std::string_view verdict(const Limit&) const;
    std::uint32_t between(std::uint32_t low, std::uint32_t high) const;

    MtuSearchOptions options_;
    std::map<std::uint32_t, Tries> tries_;
    std::uint32_t reached_ = 0;  // largest size answered
    std::uint32_t requests_ = 0, answers_ = 0;
    // What a router said last, and the sizes from which routers and the own link refuse.
    std::optional<IpAddress> router_;
    std::optional<std::uint32_t> router_mtu_;
    std::uint32_t router_refuses_ = 0, own_link_refuses_ = 0;  // 0: nothing refused
    std::optional<IpAddress> refuser_;
    std::optional<Unread> refusal_;
};

}  // namespace pve_rdma
