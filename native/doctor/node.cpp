#include "doctor/node.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "base/number.h"
#include "facts/guest_link.h"

namespace pve_rdma::doctor {

std::string PortRef::name() const {
    return fmt::format("{} port {}", device.name, port.number);
}

Node::Node(const NodeReport& facts, std::string host)
    : report(facts), name(std::move(host)), configured(configured_by(facts)) {
    links_.reserve(report.links.size());
    for (const auto& link : report.links) {
        links_.emplace(link.ifname, &link);
        if (link.master) by_master_.emplace(*link.master, &link);
    }
    for (const auto& pci : report.pci)
        pci_.emplace(pci.address, &pci);
    for (const auto& device : report.devices) {
        devices_.emplace(device.name, &device);
        for (const auto& port : device.ports) {
            if (port.netdev) port_of_netdev_.emplace(*port.netdev, ports.size());
            for (const auto& netdev : port.netdevs)
                port_of_netdev_.emplace(netdev, ports.size());
            ports.push_back({device, port});
        }
    }
}

const Port* Node::find_port(std::string_view device, std::uint32_t number) const {
    const RdmaDevice* const found = find_device(device);
    if (!found) return nullptr;
    const auto port = std::ranges::find(found->ports, number, &Port::number);
    return port == found->ports.end() ? nullptr : &*port;
}

const Module* Node::find_module(std::string_view wanted) const {
    const auto found = std::ranges::find(report.system.modules, wanted, &Module::name);
    return found == report.system.modules.end() ? nullptr : &*found;
}

bool Node::module_loaded(std::string_view wanted) const {
    const Module* const module = find_module(wanted);
    return module && module->loaded;
}

const Package* Node::find_package(std::string_view wanted) const {
    const auto there = [&](const Package& package) {
        return package.name == wanted && package.status != "config-files" &&
               package.status != "not-installed";
    };
    const auto found = std::ranges::find_if(report.system.packages, there);
    return found == report.system.packages.end() ? nullptr : &*found;
}

std::vector<const Link*> Node::ports_of(std::string_view master) const {
    std::vector<const Link*> found;
    const auto [begin, end] = by_master_.equal_range(master);
    for (auto i = begin; i != end; ++i)
        found.push_back(i->second);
    std::ranges::sort(found);  // the order of the report
    return found;
}

std::vector<const Link*> Node::netdevs_of(const PortRef& ref) const {
    std::vector<const Link*> found;
    const auto add = [&](const std::string& netdev) {
        const Link* const link = find_link(netdev);
        if (link && std::ranges::find(found, link) == found.end()) found.push_back(link);
    };
    if (ref.port.netdev) add(*ref.port.netdev);
    for (const auto& netdev : ref.port.netdevs)
        add(netdev);
    return found;
}

const PortRef* Node::port_of(const Link& link) const {
    const auto found = port_of_netdev_.find(link.ifname);
    if (found != port_of_netdev_.end()) return &ports[found->second];
    // A P_Key child belongs to the port of its parent.
    if (link.ipoib && link.link)
        if (const auto parent = port_of_netdev_.find(*link.link); parent != port_of_netdev_.end())
            return &ports[parent->second];
    return nullptr;
}

std::string Node::driver_of(const Link& link) const {
    if (const PortRef* const ref = port_of(link); ref && ref->device.driver) return *ref->device.driver;
    if (link.parentdev)
        if (const PciDevice* const pci = find_pci(*link.parentdev); pci && pci->driver) return *pci->driver;
    return link.ethernet && link.ethernet->driver ? *link.ethernet->driver : std::string();
}

std::optional<double> Node::seconds_since_earlier() const {
    if (!earlier) return std::nullopt;
    const auto now = seconds_of(report.taken), then = seconds_of(earlier->report.taken);
    if (!now || !then || *now <= *then) return std::nullopt;
    return *now - *then;
}

std::string Node::at(const Link& link, std::string_view field) const {
    return fmt::format("/links/{}/{}", &link - report.links.data(), field);
}
std::string Node::at(const PciDevice& pci, std::string_view field) const {
    return fmt::format("/pci/{}/{}", &pci - report.pci.data(), field);
}
std::string Node::at(const RdmaDevice& device, std::string_view field) const {
    return fmt::format("/devices/{}/{}", &device - report.devices.data(), field);
}
std::string Node::at(const PortRef& ref, std::string_view field) const {
    return at(ref.device, fmt::format("ports/{}/{}", &ref.port - ref.device.ports.data(), field));
}
std::string Node::at(const Route& route, std::string_view field) const {
    return fmt::format("/routes/{}/{}", &route - report.routes.data(), field);
}
std::string Node::at(const Address& address, std::string_view field) const {
    return fmt::format("/addresses/{}/{}", &address - report.addresses.data(), field);
}
std::string Node::at(const Module& module, std::string_view field) const {
    return fmt::format("/system/modules/{}/{}", &module - report.system.modules.data(), field);
}
std::string Node::at(const Package& package, std::string_view field) const {
    return fmt::format("/system/packages/{}/{}", &package - report.system.packages.data(), field);
}
std::string Node::at(const DevlinkDevice& device, std::string_view field) const {
    return fmt::format("/devlink/{}/{}", &device - report.devlink.data(), field);
}

bool is_infiniband(const PortRef& ref) {
    if (ref.port.link_layer) return *ref.port.link_layer == "InfiniBand" || *ref.port.link_layer == "IB";
    // Simulators, old kernels and some records name no link layer: what a subnet manager has touched is
    // InfiniBand.
    return ref.port.subnet || ref.port.lid.value_or(0) != 0 || ref.port.sm_lid.value_or(0) != 0;
}

bool is_ethernet(const PortRef& ref) {
    return ref.port.link_layer == "Ethernet";
}

bool is_virtual_function(const Node& node, const RdmaDevice& device) {
    if (device.virtual_function) return *device.virtual_function;
    const PciDevice* const pci = device.pci ? node.find_pci(*device.pci) : nullptr;
    return pci && pci->physical_function;
}

bool is_up(const Link& link) {
    return std::ranges::find(link.flags, "UP") != link.flags.end();
}

bool is_guest(const Link& link) {
    return is_guest_link(link.ifname);
}

// A card that this program knows to speak of: InfiniBand by its class, or made by Mellanox.
std::optional<NicFamily> family_of(const PciDevice& pci) {
    if (!pci.vendor_id || !pci.device_id) return std::nullopt;
    return family_by_pci_id(static_cast<std::uint16_t>(*pci.vendor_id),
                            static_cast<std::uint16_t>(*pci.device_id));
}

bool is_card(const PciDevice& pci) {
    constexpr std::uint32_t mellanox = 0x15b3;
    const std::uint32_t kind = pci.class_code.value_or(0) >> 8;
    return kind == 0x0207 || kind == 0x0c06 || (pci.vendor_id == mellanox && kind >> 8 == 0x02);
}

bool has_infiniband(const Node& node) {
    return std::ranges::any_of(node.ports, is_infiniband);
}
bool has_roce(const Node& node) {
    return std::ranges::any_of(node.ports, is_ethernet);
}
bool has_rdma(const Node& node) {
    return !node.report.devices.empty();
}
bool has_ipoib(const Node& node) {
    return std::ranges::any_of(node.report.links, [](const Link& link) { return bool(link.ipoib); });
}
bool has_card(const Node& node) {
    return std::ranges::any_of(node.report.pci, is_card);
}

std::optional<double> seconds_of(std::string_view text) {
    const auto number = [&](std::size_t at, std::size_t count) {
        return text.size() >= at + count ? parse_number<unsigned>(text.substr(at, count)) : std::nullopt;
    };
    const auto year = number(0, 4), month = number(5, 2), day = number(8, 2);
    const auto hour = number(11, 2), minute = number(14, 2), second = number(17, 2);
    if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                           std::chrono::month(*month), std::chrono::day(*day)};
    if (!date.ok()) return std::nullopt;
    const auto days = std::chrono::sys_days(date).time_since_epoch().count();
    return static_cast<double>(days) * 86400 + *hour * 3600.0 + *minute * 60.0 + *second;
}

}  // namespace pve_rdma::doctor
