// A process that may have ended, and its number been given to another one.
#pragma once

#include <cstdint>
#include <string>

#include "base/describe.h"

namespace pve_rdma {

struct Process {
    std::int64_t number = 0;
    std::uint64_t started = 0;  // ticks after the boot: field 22 of /proc/PID/stat, see proc(5)

    static Process self();
    // SIGKILL. False when it has ended, or is of another boot.
    bool end() const;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("number", self.number);
        visit("started", self.started);
    }
};

}  // namespace pve_rdma
