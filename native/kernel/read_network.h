// A Network of the running kernel, in this thread's network namespace.
#pragma once

#include "network/network.h"
#include "observe/machine.h"

namespace pve_rdma {

struct NetworkParts {
    bool addresses = true, routes = true, rules = true;  // links are always read: they give the names
    bool ethernet = true;                                // what ethtool tells, of settings only
    std::vector<std::string> sysctls{};                  // by name; those that do not exist are left out
};

// What was read belongs to one moment (observe/rtnetlink.h). An error where any part was refused or kept
// changing. `life` gets the addresses as the kernel shows them, with their life times.
Result<Network> read_network(const Machine&, const NetworkParts& = {}, std::vector<Address>* life = nullptr);

// Values by name; those that do not exist, or may not be read, are left out.
std::map<std::string, std::string> read_sysctls(const Machine&, const std::vector<std::string>& names);
// "net.ipv4.conf.ib0.8001.rp_filter": "/proc/sys/net/ipv4/conf/ib0.8001/rp_filter". A link's name may have
// dots.
std::string sysctl_path(std::string_view name);
// Words of a value, separated by one blank.
std::string sysctl_value(std::string_view text);

}  // namespace pve_rdma
