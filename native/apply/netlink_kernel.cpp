#include "apply/netlink_kernel.h"

#include "apply/batched_steps.h"
#include "apply/single_steps.h"
#include "kernel/read_network.h"
#include "observe/netlink_message.h"

namespace pve_rdma {

Result<std::unique_ptr<NetlinkKernel>> NetlinkKernel::open(std::vector<std::string> sysctls) {
    auto machine = Machine::open("/");
    if (!machine) return std::unexpected(machine.error());
    auto route = open_netlink(NETLINK_ROUTE, "rtnetlink");
    if (!route) return std::unexpected(route.error());
    return std::unique_ptr<NetlinkKernel>(
        new NetlinkKernel(std::move(*machine), std::move(*route), std::move(sysctls)));
}

Result<Network> NetlinkKernel::read() {
    return read_network(machine_, {.sysctls = sysctls_});
}

Result<Network> NetlinkKernel::read_for(std::span<const Step> steps) {
    std::vector<std::string> sysctls = sysctls_;
    for (const auto& step : steps)
        if (step.sysctl) sysctls.push_back(step.sysctl->either().name);
    return read_network(machine_, {.sysctls = std::move(sysctls)});
}

std::vector<StepFailure> NetlinkKernel::carry_out(std::span<const Step> steps) {
    std::size_t begin = 0;
    while (begin < steps.size()) {
        const auto rest = steps.subspan(begin);
        if (const std::size_t length = batch_length(rest)) {
            auto failures = carry_out_batch(machine_, *route_, rest.first(length));
            for (auto& failure : failures)
                failure.index += begin;
            if (!failures.empty()) return failures;
            begin += length;
        } else {
            if (const auto done = carry_out_single(machine_, *route_, rest.front()); !done)
                return {{begin, done.error()}};
            ++begin;
        }
    }
    return {};
}

}  // namespace pve_rdma
