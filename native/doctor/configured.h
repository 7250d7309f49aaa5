// What /etc/network/interfaces, with the files it sources, asks of links: what rules compare with what runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
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
    std::optional<std::string> below{};       // what a VLAN lies on, by vlan-raw-device or by its name
    bool dynamic = false;                     // DHCP, which may bring an MTU
    bool is_virtual = false;             // a bridge, bond, VLAN or the like: it comes to be by this stanza
    bool is_made_by_command = false;     // by a pre-up line
    std::string place;                   // "/etc/network/interfaces:12", of the first stanza
    std::string pointer;                 // its JSON pointer in the report
    std::vector<std::size_t> stanzas{};  // all of them, in Configured::stanzas
};

// A stanza of kind iface, in whichever file.
struct ConfiguredStanza {
    const InterfacesFile* file;
    const InterfacesStanza* stanza;
    std::string pointer;        // its JSON pointer in the report
    std::string place() const;  // "/etc/network/interfaces:12"
};

struct Configured {
    std::vector<ConfiguredStanza> stanzas;  // in order of reading
    std::vector<ConfiguredLink> links;
    std::unordered_map<std::string_view, std::size_t> by_name;  // in links

    const ConfiguredLink* find(const std::string& name) const;
};

// "eno1" of "eno1.50"; nullopt for a name that is no VLAN's.
std::optional<std::string> below_vlan(const std::string& name);

// nullopt: the report has no such file. It points into the report.
std::optional<Configured> configured_by(const NodeReport&);

}  // namespace pve_rdma::doctor
