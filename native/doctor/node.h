// A node as rules see it: its report, with indexes, so that a rule is a short loop, and with the paths of
// facts, so that every finding can point at what it rests on. Threads: read-only once built. It points into
// the report, which must outlive it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "boards/boards.h"
#include "doctor/configured.h"
#include "doctor/rule.h"
#include "facts/report.h"

namespace pve_rdma::doctor {

struct PortRef {
    const RdmaDevice& device;
    const Port& port;
    std::string name() const;  // "mlx4_0 port 1"
};

class Node {
  public:
    Node(const NodeReport& report, std::string name);

    const NodeReport& report;
    std::string name;
    const Node* earlier = nullptr;  // the same node in an older report
    std::optional<Configured> configured;

    std::vector<PortRef> ports;  // of all devices

    const Link* find_link(std::string_view name) const { return find(links_, name); }
    const PciDevice* find_pci(std::string_view address) const { return find(pci_, address); }
    const RdmaDevice* find_device(std::string_view name) const { return find(devices_, name); }
    const Port* find_port(std::string_view device, std::uint32_t number) const;
    const Module* find_module(std::string_view name) const;
    const Package* find_package(std::string_view name) const;  // installed, or half installed
    // Links whose master is `name`.
    std::vector<const Link*> ports_of(std::string_view name) const;
    // The netdevs of an RDMA port.
    std::vector<const Link*> netdevs_of(const PortRef&) const;
    // The RDMA port that a link belongs to.
    const PortRef* port_of(const Link&) const;
    // The driver under a link: its own, or of the PCI function that it stands on.
    std::string driver_of(const Link&) const;
    bool module_loaded(std::string_view name) const;

    // Seconds between the earlier report and this one.
    std::optional<double> seconds_since_earlier() const;
    // Why a part is not known; nullopt when it is.
    std::optional<std::string> missing(Part) const;

    // JSON pointers.
    std::string at(const Link& link, std::string_view field) const;
    std::string at(const PciDevice& pci, std::string_view field) const;
    std::string at(const RdmaDevice& device, std::string_view field) const;
    std::string at(const PortRef& port, std::string_view field) const;
    std::string at(const Route& route, std::string_view field) const;
    std::string at(const Address& address, std::string_view field) const;
    std::string at(const Module& module, std::string_view field) const;
    std::string at(const Package& package, std::string_view field) const;
    std::string at(const DevlinkDevice& device, std::string_view field) const;

  private:
    template <class T>
    using Index = std::unordered_map<std::string_view, const T*>;
    template <class T>
    static const T* find(const Index<T>& index, std::string_view key) {
        const auto found = index.find(key);
        return found == index.end() ? nullptr : found->second;
    }
    std::optional<std::string> why_missing(Part) const;

    Index<Link> links_;
    Index<PciDevice> pci_;
    Index<RdmaDevice> devices_;
    std::unordered_multimap<std::string_view, const Link*> by_master_;
    std::unordered_map<std::string_view, std::size_t> port_of_netdev_;     // into ports
    mutable std::unordered_map<int, std::optional<std::string>> missing_;  // asked by every rule
};

// Whom a rule concerns.
bool has_infiniband(const Node&);
bool has_rdma(const Node&);
bool has_roce(const Node&);
bool has_ipoib(const Node&);
bool has_card(const Node&);

bool is_infiniband(const PortRef&);
bool is_ethernet(const PortRef&);
bool is_virtual_function(const Node&, const RdmaDevice&);
bool is_up(const Link&);     // administratively
bool is_guest(const Link&);  // of a virtual machine or container: tap, veth, fwpr ...
bool is_card(const PciDevice&);
std::optional<NicFamily> family_of(const PciDevice&);

// Seconds since 1970 of "2025-01-02T03:04:05Z".
std::optional<double> seconds_of(std::string_view rfc3339);

}  // namespace pve_rdma::doctor
