// dkms.conf: which kernel modules a DKMS package builds (dkms(8)). Pure.
//
// The file is shell that dkms sources; nothing of it is run here. Assignments are read as they stand, and a
// value that only a shell could know ("$kernelver") stays as it is written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/describe.h"

namespace pve_rdma::ofed {

struct DkmsConf {
    std::string path;                  // in the package: "usr/src/mlnx-ofed-kernel-24.10/dkms.conf"
    std::string name, version;         // PACKAGE_NAME, PACKAGE_VERSION
    std::vector<std::string> modules;  // BUILT_MODULE_NAME, as lsmod writes them, each once
    bool autoinstall = false;          // built for every kernel that is installed later
    bool remake_initrd = false;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("path", self.path);
        visit("name", self.name);
        visit("version", self.version);
        visit("modules", self.modules);
        visit("autoinstall", self.autoinstall);
        visit("remake_initrd", self.remake_initrd);
    }
    bool operator==(const DkmsConf&) const = default;
};

// At most 1,024 modules; a text of more than 1 MiB, or with NUL octets, is malformed.
Result<DkmsConf> parse_dkms_conf(std::string_view text, const std::string& path);

// "nvme-core" -> "nvme_core"
std::string module_name(std::string_view file_name);

}  // namespace pve_rdma::ofed
