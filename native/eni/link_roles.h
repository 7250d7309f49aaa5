// What the file makes of each interface: a bridge, a bond, a VLAN, an IPoIB port, a P_Key child.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "eni/view.h"

namespace pve_rdma::eni {

// Words of a value that names interfaces; "none" and wildcard phrases of bridge-ports are none.
std::vector<std::string> interface_words(std::string_view value);

struct LinkRole {
    const Interface* interface = nullptr;
    const Option* bridge_ports = nullptr;
    const Option* bond_ports = nullptr;
    std::vector<std::string> ports{};  // of the bridge or the bond
    std::string parent{};              // of a VLAN or a P_Key child
    const Option* ib_parent = nullptr;
    const Option* mtu = nullptr;
    bool infiniband = false;  // an IPoIB port or child
    bool named = false;       // only its name says so
    bool connected = false;   // the file puts it into connected mode
};

// By name. Ports that have no stanza are not in it.
std::unordered_map<std::string, LinkRole> link_roles(const View&);

// ib0, ibp65s0, ibs1f1: names that udev and the kernel give to IPoIB interfaces.
bool infiniband_name(std::string_view);

}  // namespace pve_rdma::eni
