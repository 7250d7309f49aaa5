// What the node's files ask of its links (/etc/network/interfaces), as far as rules compare it with what
// runs. It is no part of a node report: whoever has read the files hands it to the doctor beside the report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pve_rdma::doctor {

struct ConfiguredLink {
    std::string name;
    std::optional<std::uint32_t> mtu;
    std::optional<std::string> ipoib_mode;  // connected, datagram
    std::vector<std::string> ports;         // of a bridge or a bond
    std::string place;                      // "/etc/network/interfaces:12"
};

struct Configured {
    std::vector<ConfiguredLink> links;
};

}  // namespace pve_rdma::doctor
