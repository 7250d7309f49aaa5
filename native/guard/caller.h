// Which program runs this hook: dpkg and apt start hooks as `sh -c COMMAND`, so it is the parent, or the
// parent of the shell. Its name and its file do not matter: dpkg under another name is found as well.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "base/error.h"

namespace pve_rdma::guard {

struct Process {
    pid_t id = 0, parent = 0;
    std::string started{};             // since boot, in the kernel's ticks; with the id it names one process
    std::vector<std::string> words{};  // its command line

    std::string line() const;  // the words for a person; long ones are cut
};

// Pure: /proc/PID/stat and /proc/PID/cmdline (proc(5)).
Result<Process> parse_process(pid_t id, std::string_view stat, std::string_view cmdline);
bool is_shell_of(const Process&, std::string_view program);

// An error where /proc does not tell.
Result<Process> read_process(pid_t id);
// `program`: the hook's own path, as its command names it.
Result<Process> find_caller(std::string_view program);

}  // namespace pve_rdma::guard
