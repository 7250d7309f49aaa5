// The node report: everything known about one node at one time.
#pragma once

#include <set>

#include "base/unknown_key.h"
#include "facts/device.h"
#include "facts/devlink.h"
#include "facts/fabric_walk.h"
#include "facts/interfaces_file.h"
#include "facts/link.h"
#include "facts/pci.h"
#include "facts/rdma_subsystem.h"
#include "facts/route.h"
#include "facts/source.h"
#include "facts/system.h"

namespace pve_rdma {

inline constexpr int report_version = 1;

struct NodeReport {
    int v = report_version;
    std::string kind = "node-report";
    std::string taken;  // UTC, RFC 3339
    std::string tool;   // the version that took it
    std::string root;   // "/" or the recorded tree it was read from
    System system;
    RdmaSubsystem rdma;
    std::vector<RdmaDevice> devices;
    std::vector<Link> links;
    std::vector<Address> addresses;
    std::vector<Route> routes;
    std::vector<Rule> rules;
    std::vector<PciDevice> pci;
    std::vector<DevlinkDevice> devlink;
    std::vector<InterfacesFile> interfaces_files;  // /etc/network/interfaces, and what it sources
    std::vector<FabricWalk>
        fabric;  // one walk for each subnet that the node is in; only when it is asked for
    std::map<std::string, Source>
        sources;  // by source name: rdma-netlink, rtnetlink, ethtool, verbs, umad, sysfs ...

    std::vector<UnknownKey> unknown;  // keys of a newer version; written back where they stood

    RdmaDevice* find_device(const std::string& name);
    Link* find_link(std::uint32_t ifindex);
    const Link* find_link(const std::string& name) const;
    std::set<Guid> port_guids() const;  // of all ports that are known by one

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("v", self.v);
        visit("kind", self.kind);
        visit("taken", self.taken);
        visit("tool", self.tool);
        visit("root", self.root);
        visit("system", self.system);
        visit("rdma", self.rdma);
        visit("devices", self.devices);
        visit("links", self.links);
        visit("addresses", self.addresses);
        visit("routes", self.routes);
        visit("rules", self.rules);
        visit("pci", self.pci);
        visit("devlink", self.devlink);
        visit("interfaces_files", self.interfaces_files);
        visit("fabric", self.fabric);
        visit("sources", self.sources);
    }
    bool operator==(const NodeReport&) const = default;
};

// The document, and back. `file` names it in errors. Reading refuses another kind and a version above ours
// whose known keys do not fit; keys it does not know are kept in `unknown`.
std::string report_json(const NodeReport&, int indent = 1);
Result<NodeReport> parse_report(std::string_view text, const std::string& file);

}  // namespace pve_rdma
