// What must not be done, with the reason and what to do instead. Pure.
//
// Each check is a row of a table in refuse.cpp, looks at the state that is, the state that would be, and the
// node's report, and says what it cannot judge as well: what is not known never counts as fine.
#pragma once

#include "desired/desired.h"
#include "facts/named_address.h"
#include "facts/report.h"
#include "network/network.h"

namespace pve_rdma {

struct Safety {
    const Network& now;
    const Network& target;
    const Desired& desired;
    const NodeReport& report;           // sections system, devices, links: services, drivers, ports
    std::optional<IpAddress> caller{};  // whose connection this is; none: a console
    std::vector<NamedAddress> disks{};  // that are reached over the network
};

std::vector<Error> refusals(const Safety&);

// What may surprise and is no reason to refuse: reverse path filtering and ARP of two links in one network,
// routes that rules or other tables hide.
std::vector<std::string> cautions(const Safety&);

// The route that a state takes to an address, by prefix length and metric; connected ones count. Of the table
// main, and of links that are up. Empty: none.
std::string way_to(const Network&, const IpAddress&);

}  // namespace pve_rdma
