// What transactions work on, of this node: its kernel, its disk, its watchdog.
#pragma once

#include <memory>

#include "apply/disk_of_this_node.h"
#include "apply/transaction.h"

namespace pve_rdma {

class NodeHost {
  public:
    static Result<NodeHost> open();

    TransactionHost& transaction_host() { return *host_; }

  private:
    std::unique_ptr<Kernel> kernel_;
    std::unique_ptr<Disk> disk_;
    std::unique_ptr<Watchdog> watchdog_;
    std::unique_ptr<TransactionHost> host_;
};

}  // namespace pve_rdma
