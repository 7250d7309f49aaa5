// A model of the kernel: a state machine that changes as the kernel does when it is asked, side effects
// included. Measured on Linux 6.1 to 6.18; the contract suite (tests/contract) runs on it and on the kernel.
//
//     an IPv4 address goes   its connected route; routes that name it as source; its secondaries, unless
//                            promote_secondaries is set; with the link's last one all IPv4 routes of the link
//     an IPv6 address goes   its connected route
//     a link goes down       its IPv4 routes, its IPv6 routes and addresses; VLANs on it go down
//     an MTU changes         a bond hands it to its ports; a lower one lowers VLANs; a bridge follows its
//                            lowest port until somebody sets it; below 1280 IPv6 leaves the link
//     a link enters a bond   only while it is down; it takes the bond's MTU and goes up
//     it leaves the bond     it goes down, with the MTU that it had before
//     a link goes            its addresses, routes and sysctls, and the links on it
//
// Not modelled: carrier, neighbours, router advertisements, time (duplicate address detection is at once).
#pragma once

#include <functional>

#include "apply/fake_state.h"
#include "apply/kernel.h"

namespace pve_rdma {

class FakeKernel final : public Kernel {
  public:
    FakeKernel() = default;
    explicit FakeKernel(Network network) : state_{.network = std::move(network)} {}

    Result<Network> read() override { return state_.network; }
    // Ends at the first failure.
    std::vector<StepFailure> carry_out(std::span<const Step>) override;

    // What somebody else changes: no rule is applied.
    Network& network() { return state_.network; }
    // Cards that a test has: they are down, with what the kernel gives them.
    Link& add_ethernet(const std::string& name);
    Link& add_ipoib(const std::string& name, const IpoibLimits& = {});

    // Asked before each step; an error is what the kernel answers.
    std::function<Result<void>(const Step&)> allow{};

  private:
    Result<void> carry_out(const Step&);

    FakeState state_;
};

}  // namespace pve_rdma
