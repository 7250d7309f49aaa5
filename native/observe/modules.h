// Kernel modules (source "modules"): those of a fixed list that are loaded, built in, or could be loaded.
// Sources: /sys/module (Documentation/ABI/testing/sysfs-module), /lib/modules/RELEASE/modules.dep and
// modules.builtin (depmod(8)).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "facts/report.h"
#include "observe/machine.h"

namespace pve_rdma {

// Needs system.kernel_release for the files: run after observe_system.
void observe_modules(const Machine&, NodeReport&);

// The names the observer looks for, with underscores.
std::vector<std::string_view> modules_of_interest();

// The path of a line of modules.dep ("updates/dkms/mlx5_core.ko.zst: ...") or modules.builtin, and the
// module's name; nullopt for a line that is neither.
struct ModuleFile {
    std::string_view path;
    std::string name;    // with underscores
    std::string origin;  // kernel, updates, dkms, extra, weak-updates, ...: its folder
};
std::optional<ModuleFile> parse_module_line(std::string_view line);

}  // namespace pve_rdma
