// The one way in which a file of interfaces(5) is written.
#pragma once

#include <string>
#include <vector>

#include "apply/file_lock.h"
#include "base/error.h"
#include "eni/view.h"
#include "network/file_change.h"
#include "operations/config_change.h"

namespace pve_rdma {

// Locks of a change of `main_path`: none for a file that is not the system's (below /etc/network). Refuses
// (ErrorCode::conflict) while a change of Proxmox's editor waits in `main_path`.new: applying it later would
// take ours away.
Result<std::vector<FileLock>> begin_config_change(const std::string& main_path);

// Writes the change of one of the view's files, or of a new one. The result, with all it sources, must be
// readable by us; and by ifquery, where that is installed, if it could read what was there. Owner, mode, ACLs
// and attributes stay; a symbolic link is followed. A warning that did not stop it is added to `warnings`.
Result<void> write_config(const eni::View&, const ConfigChange&, std::vector<std::string>& warnings);

// Whether `path` may take the place of the file that the change is about: ifquery is asked about a main file.
Result<void> validate_config(const FileChange&, const std::string& path, std::vector<std::string>& warnings);

}  // namespace pve_rdma
