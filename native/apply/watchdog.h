// Who rolls a transaction back when nobody confirms it: a timer that is armed before the first step, and that
// outlives this process, its session and its connection.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/error.h"

namespace pve_rdma {

// Threads: one.
class Watchdog {
  public:
    virtual ~Watchdog() = default;
    // Has `pve-rdma-recover watch ID` run from some moment within that time on. That waits for the deadline
    // that the transaction then has (watch.h): moving it later needs no word to the watchdog.
    virtual Result<void> arm(const std::string& id, std::chrono::seconds within) = 0;
    // Fine when it is not armed.
    virtual Result<void> disarm(const std::string& id) = 0;
};

inline constexpr const char* recover_program = "/usr/libexec/pve-rdma/pve-rdma-recover";

// A transient timer of systemd: it belongs to no session, and costs no process while it waits.
std::unique_ptr<Watchdog> systemd_watchdog(std::string program = recover_program);
// A process of its own session, for nodes and containers without systemd. It ends by itself when the
// transaction is settled, so disarming it does nothing.
std::unique_ptr<Watchdog> detached_watchdog(std::string program = recover_program);
// The first one where systemd is PID 1 (sd_booted(3)).
std::unique_ptr<Watchdog> watchdog_of_this_node(std::string program = recover_program);

}  // namespace pve_rdma
