// The state of a network that plans are made from and lead to: of one moment, of one network namespace.
//
// Left out: the kernel's own routes (its table `local`, connected routes, which follow from addresses, and
// multicast ones), IPv6 link-local addresses, and what is no entry (entries.h); `untouchable` counts the
// last.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "facts/report.h"
#include "network/entries.h"

namespace pve_rdma {

struct Network {
    std::vector<Link> links{};
    std::vector<AddressEntry> addresses{};
    std::vector<RouteEntry> routes{};
    std::vector<RuleEntry> rules{};
    std::map<std::string, std::string> sysctls{};  // those that were asked for

    // Routes and rules that we could not make again, as text: they are never touched.
    std::vector<std::string> untouchable{};

    const Link* find(const std::string& name) const;
    Link* find(const std::string& name);
};

// Of a report: the sections links and routes.
Network network_of(const NodeReport&);

std::optional<RouteEntry> route_entry(const Route&);
// Connected routes, which follow from addresses; the kernel's multicast routes and its table `local`.
bool is_the_kernels_own(const Route&);
std::string untouchable_text(const Route&);
std::optional<RuleEntry> rule_entry(const Rule&);
AddressEntry address_entry(const Address&);
// Of a link that software made and can make again: bond, bridge, vlan, a P_Key child.
std::optional<LinkEntry> link_entry(const Link&);

bool is_up(const Link&);

}  // namespace pve_rdma
