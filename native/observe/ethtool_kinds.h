// The kinds of ethtool messages that are read, and how each fills an Ethernet.
#pragma once

#include <span>

#include "facts/ethernet.h"
#include "observe/ethtool_bitset.h"

namespace pve_rdma {

struct EthtoolKind {
    std::uint8_t command;  // ETHTOOL_MSG_*_GET; its answers have their own numbers
    const char* what;
    bool compact;        // bit sets without names
    bool hardware_only;  // not asked when no link has a parent device
    void (*take)(Octets attributes, const StringSets&, Ethernet&);
    bool settable = false;  // network/settings.h has a setting that it shows
};

std::span<const EthtoolKind> ethtool_kinds();

// Why a link is down (ETHTOOL_LINK_EXT_STATE_*, linux/ethtool.h), in words.
std::string extended_state(std::uint8_t state);
std::string extended_substate(std::uint8_t state, std::uint8_t substate);

}  // namespace pve_rdma
