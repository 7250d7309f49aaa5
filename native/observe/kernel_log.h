// What drivers of RDMA and network cards said in the kernel's log.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "facts/report.h"
#include "observe/machine.h"

namespace pve_rdma {

// Lines that name a card's driver and a trouble, without priority and time, each once, in order; at most
// max_kernel_log_lines of them, the newest. Addresses of hosts do not stand in such lines.
inline constexpr std::size_t max_kernel_log_lines = 100;
std::vector<std::string> troubles_in_log(std::string_view text);

// Fills system.kernel_log: this node's by syslog(2), a recorded tree's from var/log/dmesg. The kernel shows
// its log to root only where kernel.dmesg_restrict is set: then sources["kernel-log"] says so.
void observe_kernel_log(const Machine&, NodeReport&);

}  // namespace pve_rdma
