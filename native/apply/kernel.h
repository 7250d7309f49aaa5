// What a transaction asks of a kernel: the running one (netlink_kernel.h), or a model of one in tests
// (fake_kernel.h). One contract suite runs on both (tests/contract).
#pragma once

#include <span>

#include "network/network.h"
#include "network/step.h"

namespace pve_rdma {

struct StepFailure {
    std::size_t index = 0;  // among the steps that were asked for
    Error error;            // with errno and the kernel's own words
};

// Threads: one thread uses a Kernel at a time.
class Kernel {
  public:
    virtual ~Kernel() = default;

    // All of it, of one moment. An error where a part could not be read: a plan from half a network is none.
    virtual Result<Network> read() = 0;
    // The same, and the sysctls that these steps are about: there are too many to read them all.
    virtual Result<Network> read_for(std::span<const Step>) { return read(); }

    // Carries steps out, in order. A step whose object has the new value already is done. ErrorCode::conflict
    // when the object has neither the old nor the new value: somebody else changed it, and it is left as it
    // is. not_found when the link it is about has gone. What fails does not undo what came before it; steps
    // behind it may or may not have been carried out (a batch of messages is no transaction), so whoever
    // rolls back treats all of them as maybe done. But what is deleted is never sent behind a failure.
    virtual std::vector<StepFailure> carry_out(std::span<const Step>) = 0;
};

}  // namespace pve_rdma
