// The watchdog's own work.
#pragma once

#include <chrono>
#include <functional>

#include "apply/process.h"
#include "apply/transaction.h"

namespace pve_rdma {

struct Patience {
    std::function<void(std::chrono::nanoseconds)> sleep;
    std::function<void(const Error&)> say;  // what keeps it waiting
    // Asked for the process that should long have carried the transaction out and still holds the locks: it
    // hangs, or somebody has stopped it.
    std::function<void(const Process&)> end = [](const Process& process) { process.end(); };
};

// Waits until the transaction's time is over, wherever that has been moved meanwhile, and rolls it back; ends
// at once when it is decided otherwise. Waits for the locks as long as it takes; what fails is tried again
// for some minutes. Returns what has become of it.
Result<TransactionView> watch_transaction(TransactionHost&, const std::string& id, const Patience&);

}  // namespace pve_rdma
