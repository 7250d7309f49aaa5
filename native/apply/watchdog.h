// Who rolls a transaction back when nobody confirms it: a timer that is armed before the first step, and that
// outlives this process, its session and its connection.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/error.h"

namespace pve_rdma {

class Watchdog {
  public:
    virtual ~Watchdog() = default;
    // Runs `pve-rdma-recover rollback ID` after that time. Arming again moves the time.
    virtual Result<void> arm(const std::string& id, std::chrono::seconds within) = 0;
    virtual Result<void> disarm(const std::string& id) = 0;
};

}  // namespace pve_rdma
