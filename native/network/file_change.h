// A file that is to hold another content.
#pragma once

#include <optional>
#include <string>

#include "base/describe.h"

namespace pve_rdma {

struct FileChange {
    std::string path{};
    std::optional<std::string> before{}, after{};  // whole contents; none: there is no such file
    std::optional<std::string> service{};          // a unit of systemd that reads it only when it starts

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("path", self.path);
        visit("before", self.before);
        visit("after", self.after);
        visit("service", self.service);
    }
    bool operator==(const FileChange&) const = default;
};

}  // namespace pve_rdma
