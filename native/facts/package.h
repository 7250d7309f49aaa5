// Debian packages that matter to RDMA and to the node's network. Source: /var/lib/dpkg/status (dpkg(1)).
#pragma once

#include "base/describe.h"

namespace pve_rdma {

struct Package {
    std::string name;
    std::string version;  // Debian version, "9.2.11"
    std::optional<std::string> architecture;
    std::string status;  // dpkg's third word: installed, half-configured, config-files, ...
    bool hold = false;   // dpkg's first word is "hold"

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name);
        visit("version", self.version);
        visit("architecture", self.architecture);
        visit("status", self.status);
        visit("hold", self.hold);
    }
    bool operator==(const Package&) const = default;
};

}  // namespace pve_rdma
