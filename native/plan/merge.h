// The state that a desired document leads to, from the state that is: "target". Pure.
//
// Side effects that the kernel has on its own are part of the target, so that each becomes a step of its own
// and can be taken back: a bond's MTU is its ports' MTU; what stands above a link never has a larger one;
// with an address go the routes that have it as their source; with the last IPv4 address of a link, its
// routes.
#pragma once

#include "desired/desired.h"
#include "network/network.h"

namespace pve_rdma {

struct Merged {
    Network target{};
    std::vector<Error> refusals{};     // what cannot be as the document says; the rest is merged all the same
    std::vector<std::string> notes{};  // what goes besides what the document names
};

Merged merge(const Network& now, const Desired&);

// Sysctls that merging and ordering look at, besides those that the document names.
std::vector<std::string> sysctls_of_interest(const Desired&);

}  // namespace pve_rdma
