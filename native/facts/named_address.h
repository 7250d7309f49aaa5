// An address, and whose it is.
#pragma once

#include <string>

#include "facts/ip_address.h"

namespace pve_rdma {

struct NamedAddress {
    std::string what{};  // in a sentence: "the gateway 192.0.2.1", "the iSCSI connection1:0"
    IpAddress address{};
};

}  // namespace pve_rdma
