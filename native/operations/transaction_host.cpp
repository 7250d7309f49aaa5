#include "operations/transaction_host.h"

#include "apply/netlink_kernel.h"

namespace pve_rdma {

Result<NodeHost> NodeHost::open() {
    auto kernel = NetlinkKernel::open();
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
