// When, and for which interface, ifupdown or ifupdown2 runs our hook: the environment of interfaces(5).
//
// ifupdown runs if-pre-up.d, if-up.d (PHASE post-up), if-post-down.d, and sets VERBOSITY; ifupdown2 names
// if-up.d's phase "up", has a folder if-post-up.d, and hands over the first value of each option only, of one
// stanza. So options are read from the file; the environment's are for a stanza that the file does not have
// (any more).
#pragma once

#include <functional>
#include <string>

#include "base/error.h"

namespace pve_rdma::ifup {

enum class Phase {
    none,       // nothing to do for us
    before_up,  // links: mode, children, virtual functions
    up,         // metrics, routes, rules
    again,      // ifupdown2's post-up: the same once more, and its failures count
    after_down,
};

struct Occasion {
    Phase phase = Phase::none;
    std::string interface{};
    bool ifupdown2 = false;
    std::string options{};  // our options that the environment names, as a stanza
};

// `variable` is getenv(3). An error when this is no call of ifupdown's.
Result<Occasion> occasion_of(const std::function<const char*(const char*)>& variable);

}  // namespace pve_rdma::ifup
