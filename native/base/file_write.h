// Writing a whole file so that a reader, or a power cut, sees either the old one or the new one.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace pve_rdma {

// Writes beside the target, syncs, renames over it, syncs the folder. `mode` is that of a new file.
// Through a symbolic link, a device or a FIFO it writes in place instead, as a shell's redirection would.
Result<void> write_file(const std::string& path, std::string_view content, unsigned mode = 0644);

}  // namespace pve_rdma
