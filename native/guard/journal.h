// What the guard refused, and what it let pass because somebody asked for it: a file and the system's log.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace pve_rdma::guard {

inline constexpr const char* journal_path = "/var/log/pve-rdma-guard.log";

// One line, with the time in UTC. A log that cannot be written changes nothing.
void note(const std::string& text);

// The last lines, oldest first; none where there is no file.
Result<std::vector<std::string>> last_notes(std::size_t count);

}  // namespace pve_rdma::guard
