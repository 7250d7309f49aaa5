#include "observe/sysfs_device.h"

#include <algorithm>

#include "base/number.h"
#include "observe/sysfs_values.h"

namespace pve_rdma::sysfs {

namespace {

constexpr const char* verbs_class = "/sys/class/infiniband_verbs";
constexpr const char* mad_class = "/sys/class/infiniband_mad";

std::optional<std::uint32_t> narrow(const std::optional<std::uint64_t>& value) {
    if (!value) return std::nullopt;
    return static_cast<std::uint32_t>(*value);
}

// Recorders often leave out the class folders: the same nodes stand below the PCI function, there without
// the names of the others that share the class.
std::optional<std::string> only_node(SysfsReader& folder, const char* below, std::string_view prefix) {
    std::vector<std::string> found;
    for (auto& name : folder.list(below))
        if (name.starts_with(prefix)) found.push_back(std::move(name));
    if (found.size() != 1) return std::nullopt;
    return found.front();
}

bool is_pci_address(std::string_view text) {
    // dddd:bb:dd.f; the domain has more digits on some machines (VMD)
    const auto first = text.find(':');
    if (first == std::string_view::npos || first < 4 || text.size() != first + 8) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool mark = i == first || i == first + 3 || i == first + 6;
        if (mark ? text[i] != (i == first + 6 ? '.' : ':')
                 : !std::isxdigit(static_cast<unsigned char>(text[i])))
            return false;
    }
    return true;
}

void read_pci_side(SysfsReader& folder, const NodeReport& report, RdmaDevice& device) {
    if (!device.pci) {
        if (const auto target = folder.machine().link(folder.folder())) device.pci = pci_address_in(*target);
        if (!device.pci)
            if (const auto target = folder.machine().link(folder.folder() + "/device"))
                device.pci = pci_address_in(*target);
    }
    const auto known = std::ranges::find(report.pci, device.pci.value_or(""), &PciDevice::address);
    if (known != report.pci.end()) {
        if (!device.driver) device.driver = known->driver;
        if (!device.numa_node) device.numa_node = known->numa_node;
        if (!device.virtual_function) device.virtual_function = known->physical_function.has_value();
    }
    if (!device.driver) device.driver = folder.link_name("device/driver");
    if (!device.numa_node)
        if (const auto node = folder.signed_number("device/numa_node");
            node && *node >= -1 && *node <= 1 << 16)
            device.numa_node = static_cast<int>(*node);
    if (!device.virtual_function && device.pci)
        device.virtual_function = folder.link_name("device/physfn").has_value();
}

void read_nodes(SysfsReader& folder, const DeviceNodes& nodes, RdmaDevice& device) {
    for (const auto& node : nodes.uverbs)
        if (!device.uverbs && node.device == device.name) device.uverbs = node.name;
    for (const auto& node : nodes.umad)
        if (Port* port = node.device == device.name ? device.find_port(node.port) : nullptr)
            port->umad = node.name;
    for (const auto& node : nodes.issm)
        if (Port* port = node.device == device.name ? device.find_port(node.port) : nullptr)
            port->issm = node.name;
    if (!device.uverbs && nodes.uverbs.empty())
        device.uverbs = only_node(folder, "device/infiniband_verbs", "uverbs");
    if (device.ports.size() != 1 || !nodes.umad.empty()) return;
    Port& port = device.ports.front();
    if (!port.umad) port.umad = only_node(folder, "device/infiniband_mad", "umad");
    if (!port.issm) port.issm = only_node(folder, "device/infiniband_mad", "issm");
}

// As the kernel's RDMA core classes them; "opa" is hfi1's, which sysfs calls InfiniBand.
std::optional<std::string> protocol_of(const RdmaDevice& device) {
    if (!device.node_type) return std::nullopt;
    if (*device.node_type == "RNIC") return "iw";
    if (device.node_type->starts_with("USNIC")) return "usnic";
    if (*device.node_type != "CA" || device.ports.empty() || !device.ports.front().link_layer)
        return std::nullopt;
    if (device.driver == "hfi1") return "opa";
    return *device.ports.front().link_layer == "Ethernet" ? "roce" : "ib";
}

}  // namespace

std::optional<std::string> pci_address_in(std::string_view path) {
    while (!path.empty()) {
        const auto slash = path.rfind('/');
        const auto component = slash == std::string_view::npos ? path : path.substr(slash + 1);
        if (is_pci_address(component)) return std::string(component);
        if (slash == std::string_view::npos) break;
        path = path.substr(0, slash);
    }
    return std::nullopt;
}

DeviceNodes read_device_nodes(const Machine& machine, Source& source) {
    DeviceNodes nodes;
    SysfsReader verbs(machine, source, verbs_class);
    nodes.uverbs_abi = narrow(verbs.number("abi_version", UINT32_MAX));
    if (nodes.uverbs_abi)
        for (const auto& name : verbs.list(""))
            if (name.starts_with("uverbs")) {
                SysfsReader node = verbs.object(name);
                nodes.uverbs.push_back({name, node.text("ibdev").value_or("")});
            }
    SysfsReader mad(machine, source, mad_class);
    nodes.umad_abi = narrow(mad.number("abi_version", UINT32_MAX));
    if (!nodes.umad_abi) return nodes;
    for (const auto& name : mad.list("")) {
        const bool umad = name.starts_with("umad");
        if (!umad && !name.starts_with("issm")) continue;
        SysfsReader node = mad.object(name);
        DeviceNodes::Node entry{name, node.text("ibdev").value_or(""),
                                narrow(node.number("port", UINT32_MAX)).value_or(0)};
        (umad ? nodes.umad : nodes.issm).push_back(std::move(entry));
    }
    return nodes;
}

void read_device(SysfsReader& folder, const DeviceNodes& nodes, NodeReport& report, RdmaDevice& device) {
    if (!device.node_type)
        if (const auto text = folder.text("node_type")) device.node_type = node_type_word(*text);
    folder.fill(device.fw_ver, "fw_ver");
    folder.fill(device.node_guid, "node_guid");
    folder.fill(device.sys_image_guid, "sys_image_guid");
    folder.fill(device.hw_rev, "hw_rev");
    folder.fill(device.hca_type, "hca_type");
    folder.fill(device.board_id, "board_id");
    folder.fill(device.node_desc, "node_desc");
    read_pci_side(folder, report, device);

    for (const auto& name : folder.list("ports")) {
        const auto number = parse_number<std::uint32_t>(name);
        if (!number) continue;
        Port* port = device.find_port(*number);
        if (!port) {
            port = &device.ports.emplace_back();
            port->number = *number;
        }
    }
    read_nodes(folder, nodes, device);
    for (auto& port : device.ports) {
        SysfsReader below = folder.below("ports/" + std::to_string(port.number));
        if (!folder.gone()) read_port(below, port);
    }
    read_netdevs(folder, report, device);
    if (!device.protocol) device.protocol = protocol_of(device);
}

}  // namespace pve_rdma::sysfs
