// Where a setting is kept: one rule.
//
//     What Proxmox must see stands in the main file, in a form that its reader reads and its writer keeps.
//     What its writer would break or lose stands in our own file, which the main file sources and Proxmox's
//     editor keeps without reading it. What belongs to a stanza stands where that stanza is.
//
// What Proxmox's reader (pve-common: PVE/Network/Interfaces.pm of 9.2, PVE/INotify.pm of 8.4) does, as run:
// - It keeps options that it does not know, in their order: ib-mode stays where it is.
// - Of several `address` lines of a stanza it keeps the last one.
// - A P_Key child by the name ib0.8001 is a VLAN to it, "vlan-id 8001", and no interface can be saved any
// more;
//   by the name ib0.80a1, or another that is no card's, its type is unknown, and the order of the stanzas
//   changes from one save to the next.
// - Its API replaces a stanza rather than changing it: a call that sets the MTU alone turns static into
// manual,
//   and drops the whole inet6 stanza with every option in it. So routes and rules do not stand there.
// - It never reads a sourced file, and keeps the source line.
//
// In our own file an interface of the main file has a second stanza, `iface NAME inet manual`, with nothing
// but what adds to the first: ifupdown2 lets the first value of a scalar win, and `ifquery -c` then fails for
// ever.
#pragma once

#include <string_view>

#include "eni/view.h"

namespace pve_rdma::eni {

inline constexpr std::string_view own_file = "/etc/network/interfaces.d/pve-rdma";

// The same beside another main file than /etc/network/interfaces; that file itself when it is our own one.
std::string own_file_of(std::string_view main_file);

enum class Setting {
    stanza,           // of a card, bond, bridge or VLAN; with its ports, VLAN ids, bond-* and bridge-*
    address,          // the first of a family
    further_address,  // one more of the same family
    gateway,
    mtu,
    ib_mode,            // of an IPoIB port
    pkey_child,         // the child's stanza, and everything in it
    virtual_functions,  // sriov-numvfs
    metric,             // rdma-metric, of connected routes
    route,              // rdma-route
    rule,               // rdma-rule
};

enum class Home {
    main_file,
    own_file,
};

// What an option is about. Of several addresses the first is meant.
Setting setting_of(std::string_view option);

// By the rule alone.
Home home_of(Setting);
// For an interface as the files are now: what belongs to a stanza stands where that stanza is. An interface
// that no file has is placed by the rule.
Home home_of(Setting, const View&, const std::string& interface);

// How Proxmox's reader takes a name; `other` cannot be kept in the main file.
enum class ProxmoxKind { loopback, card, bond, bridge, vlan, alias, other };
ProxmoxKind proxmox_kind(const View&, const std::string& interface);

// The first lines of our own file.
std::string_view own_file_header();

}  // namespace pve_rdma::eni
