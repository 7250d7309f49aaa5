// A key that a document has and the described struct does not: kept, so that a document of a newer version
// loses nothing.
#pragma once

#include <string>

namespace pve_rdma {

struct UnknownKey {
    std::string pointer;  // JSON pointer (RFC 6901) of the value
    std::string json;     // the value, as JSON text
    bool operator==(const UnknownKey&) const = default;
};

}  // namespace pve_rdma
