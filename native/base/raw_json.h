// JSON text that is a value already: carried through, never looked into.
#pragma once

#include <string>

namespace pve_rdma {

struct RawJson {
    std::string json;
    bool operator==(const RawJson&) const = default;
};

}  // namespace pve_rdma
