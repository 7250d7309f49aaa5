// What happens on an occasion: read, plan, send, read back.
#pragma once

#include "eni/view.h"
#include "ifup/occasion.h"
#include "observe/machine.h"
#include "observe/netlink_transport.h"

namespace pve_rdma::ifup {

struct Outcome {
    std::vector<Error> errors{};  // each with the line of the file that leads to it, where there is one
    std::vector<Error> notes{};   // what is done otherwise than asked, and no failure
    bool unusable = false;        // the interface cannot come up as the file says
};

// `file`: /etc/network/interfaces with all it sources. Everything is idempotent; one failure does not stop
// what does not depend on it.
Outcome run_hook(const Occasion&, const eni::View& file, const Machine&, NetlinkTransport&);

// The exit status for ifupdown. Failing breaks off what ifup still has to do for the interface (and makes
// ifupdown think it down), so we fail only where the interface is of no use, and in ifupdown2's last phase,
// where nothing is left to do: a silent success would hide our words, for it shows only those of hooks that
// fail.
int exit_status(const Occasion&, const Outcome&);

}  // namespace pve_rdma::ifup
