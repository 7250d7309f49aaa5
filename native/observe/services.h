// The networks that Proxmox VE's services stand on, and the subnet manager's settings: from configuration
// files that hold no secret, and of them only the words that name a network or a time. Sources:
// corosync.conf(5); ceph.conf (public_network, cluster_network); datacenter.cfg(5); opensm.conf(5).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "facts/report.h"
#include "observe/machine.h"

namespace pve_rdma {

struct CorosyncLink {
    std::string number{}, address{};  // "0"; an address or a host's name
};
struct CorosyncNode {
    std::string name{};
    std::vector<CorosyncLink> links{};
};
std::vector<CorosyncNode> corosync_nodes(std::string_view text);
// The other nodes of this machine's cluster. They are no part of a report.
std::vector<CorosyncNode> corosync_peers(const Machine&, std::string_view own_name);

// The links of the node called `name`, in corosync.conf.
std::vector<ServiceNetwork> corosync_links(std::string_view text, std::string_view name);
std::vector<ServiceNetwork> ceph_networks(std::string_view text);
std::vector<ServiceNetwork> migration_network(std::string_view text);
std::map<std::string, std::string> opensm_settings(std::string_view text);

// Fills system.networks and system.opensm; a file that is not there is absent, one that cannot be read stands
// in sources["services"].
void observe_services(const Machine&, NodeReport&);

}  // namespace pve_rdma
