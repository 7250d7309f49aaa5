// The running kernel, in the network namespace of the thread that opens it.
//
// Consecutive routes, rules and addresses travel in batches (kernel/batch.h), anything else one by one.
// Nothing is sent behind a failure but what stood in the same batch, and a batch holds no deletion behind
// something that is made: what failed to come keeps the old from going. What the kernel refuses because the
// object is there, or gone, is looked at again: it may be done already, or be changed by somebody else.
//
// Cost: read() one dump of each kind; carry_out() of routes that are added or deleted none, of any other step
// one small dump before it. Threads: one at a time.
#pragma once

#include <memory>

#include "apply/kernel.h"
#include "observe/machine.h"
#include "observe/netlink_transport.h"

namespace pve_rdma {

class NetlinkKernel final : public Kernel {
  public:
    // `sysctls`: the names that read() reads.
    static Result<std::unique_ptr<NetlinkKernel>> open(std::vector<std::string> sysctls = {});

    Result<Network> read() override;
    Result<Network> read_for(std::span<const Step>) override;
    std::vector<StepFailure> carry_out(std::span<const Step>) override;

  private:
    NetlinkKernel(Machine machine, std::unique_ptr<NetlinkTransport> route, std::vector<std::string> sysctls)
        : machine_(std::move(machine)), route_(std::move(route)), sysctls_(std::move(sysctls)) {}

    Machine machine_;
    std::unique_ptr<NetlinkTransport> route_;
    std::vector<std::string> sysctls_;
};

}  // namespace pve_rdma
