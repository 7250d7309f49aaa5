#include "operations/transaction_host.h"

#include "apply/netlink_kernel.h"

namespace pve_rdma {

Result<NodeHost> NodeHost::open(const Plan& plan) {
    std::vector<std::string> sysctls;
    for (const auto& step : plan.steps)
        if (step.sysctl) sysctls.push_back(step.sysctl->either().name);
    auto kernel = NetlinkKernel::open(std::move(sysctls));
    if (!kernel) return std::unexpected(kernel.error());
    NodeHost node;
    node.kernel_ = std::move(*kernel);
    node.disk_ = std::make_unique<DiskOfThisNode>();
    node.watchdog_ = watchdog_of_this_node();
    node.host_ = std::unique_ptr<TransactionHost>(
        new TransactionHost{.kernel = *node.kernel_, .disk = *node.disk_, .watchdog = *node.watchdog_});
    return node;
}

}  // namespace pve_rdma
