// What the kernel holds of one interface, as far as a plan compares it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "observe/netlink_transport.h"
#include "wishes/entries.h"

namespace pve_rdma::ifup {

struct LinkState {
    std::uint32_t index = 0;
    std::string name{}, kind{};  // kind: ipoib, bond ...; empty for most cards
    bool infiniband = false;     // by its hardware type; true of a bond of IPoIB ports too
    bool up = false;
    std::uint32_t mtu = 0;
    std::uint32_t parent = 0;  // ifindex; 0: none
    std::optional<std::uint16_t> pkey{};
    std::optional<IpoibMode> mode{};

    bool child() const { return kind == "ipoib" && parent != 0 && parent != index; }
};

struct AddressState {
    AddressEntry address{};
    std::uint32_t metric = 0;  // of its connected route; 0: the kernel's default
    std::uint8_t protocol = 0;
    bool connected_route = true;       // not of link-local and noprefixroute ones
    std::vector<std::byte> message{};  // the kernel's own message, from which the address is sent again
};

struct InterfaceState {
    std::vector<AddressState> addresses{};
    std::vector<RouteEntry> routes{};  // through this interface, ours only
    std::vector<RuleEntry> rules{};    // of all interfaces, ours only
};

// None when there is no such link.
Result<std::optional<LinkState>> read_link(NetlinkTransport&, const std::string& name);
// index 0: the link is not there (any more), so only rules are read.
Result<InterfaceState> read_interface(NetlinkTransport&, std::uint32_t index);

}  // namespace pve_rdma::ifup
