// What /etc/network/interfaces, with the files it sources, asks of links: what rules compare with what runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "facts/report.h"

namespace pve_rdma::doctor {

// All stanzas of one name together; where only one value can hold, the first does, as under ifupdown2.
struct ConfiguredLink {
    std::string name;
    bool automatic = false;  // brought up at boot and by a reload
    std::optional<std::uint32_t> mtu{};
    std::optional<std::string> ipoib_mode{};  // connected, datagram
    std::vector<std::string> ports{};         // of a bridge or a bond
    bool dynamic = false;                     // DHCP, which may bring an MTU
    bool is_virtual = false;  // a bridge, bond, VLAN or the like: it comes to be by this stanza
    std::string place;        // "/etc/network/interfaces:12", of the first stanza
    std::string pointer;      // its JSON pointer in the report
};

struct Configured {
    std::vector<ConfiguredLink> links;

    const ConfiguredLink* find(const std::string& name) const;
};

// nullopt: the report has no such file.
std::optional<Configured> configured_by(const NodeReport&);

}  // namespace pve_rdma::doctor
