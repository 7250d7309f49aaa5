// What `pve-rdma config` answers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "facts/interfaces_file.h"

namespace pve_rdma {

struct ConfigReply {
    std::string digest;  // over the file and all it sources: give it to a later edit
    std::vector<InterfacesFile> files;
    std::optional<std::string> edited;  // the path of the file that an edit changes
    std::optional<std::string> diff;    // unified
    std::string rendered;               // for a person; not part of the document

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("digest", self.digest);
        visit("files", self.files);
        visit("edited", self.edited);
        visit("diff", self.diff);
    }
};

}  // namespace pve_rdma
