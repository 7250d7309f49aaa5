// Identity: GUIDs, LIDs, descriptions.
#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "doctor/cluster.h"
#include "doctor/fabric_view.h"
#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"

namespace pve_rdma::doctor {

namespace {

constexpr std::uint32_t permissive_lid = 0xffff;

void duplicate_guid(const FabricView& fabric, Findings& out) {
    for (const auto& one : fabric.walk.nodes) {
        if (!one.duplicate_of) continue;
        const WalkNode& first = fabric.walk.nodes[*one.duplicate_of];
        out.add(fabric.node_name(one),
                fmt::format("{} (route {}) and {} (route {}) have the same node GUID {}.",
                            fabric.node_name(first), first.path, fabric.node_name(one), one.path,
                            one.guid.text()))
            .because(fabric.at(one, "guid"), one.guid)
            .because(fabric.at(first, "guid"), first.guid);
    }
}

void duplicate_guid_of_nodes(const Cluster& cluster, Findings& out) {
    struct Owner {
        const Node* node;
        const RdmaDevice* device;
    };
    std::unordered_map<std::uint64_t, Owner> owners;
    for (const auto& node : cluster.nodes())
        for (const auto& device : node.report.devices) {
            if (!device.node_guid || device.node_guid->is_zero()) continue;
            const auto [entry, fresh] = owners.try_emplace(device.node_guid->value, Owner{&node, &device});
            const Owner& first = entry->second;
            if (fresh || first.node == &node) continue;
            out.add(device.name,
                    fmt::format("{} of {} and {} of {} have the same node GUID {}.", first.device->name,
                                first.node->name, device.name, node.name, device.node_guid->text()))
                .because_of(first.node->name, first.node->at(*first.device, "node_guid"),
                            first.device->node_guid)
                .because_of(node.name, node.at(device, "node_guid"), device.node_guid);
        }
}

void zero_guid(const Node& node, Findings& out) {
    for (const auto& device : node.report.devices) {
        const bool infiniband = std::ranges::any_of(
            node.ports, [&](const PortRef& ref) { return &ref.device == &device && is_infiniband(ref); });
        if (!infiniband) continue;
        const bool virtual_function = is_virtual_function(node, device);
        if (device.node_guid && device.node_guid->is_zero())
            out.add(device.name, virtual_function ? "The virtual function has no node GUID."
                                                  : "The node GUID is zero: the card's flash lacks it.")
                .because(node.at(device, "node_guid"), device.node_guid);
        for (const auto& port : device.ports)
            if (port.port_guid && port.port_guid->is_zero())
                out.add(PortRef{device, port}.name(), "The port GUID is zero.")
                    .because(node.at(PortRef{device, port}, "port_guid"), port.port_guid);
    }
}

// The port of the physical function with the same number.
const Port* port_of_physical_function(const Node& node, const PortRef& ref, const RdmaDevice*& device) {
    const PciDevice* const pci = ref.device.pci ? node.find_pci(*ref.device.pci) : nullptr;
    if (!pci || !pci->physical_function) return nullptr;
    const PciDevice* const physical = node.find_pci(*pci->physical_function);
    if (!physical || physical->rdma_devices.empty()) return nullptr;
    device = node.find_device(physical->rdma_devices.front());
    return device ? node.find_port(device->name, ref.port.number) : nullptr;
}

void dead_virtual_function(const Node& node, Findings& out) {
    for (const auto& ref : node.ports) {
        if (!is_infiniband(ref) || !is_virtual_function(node, ref.device)) continue;
        if (ref.port.state != "DOWN" && ref.port.state != "INIT") continue;
        const RdmaDevice* device = nullptr;
        const Port* const physical = port_of_physical_function(node, ref, device);
        if (!physical || physical->state != "ACTIVE") continue;
        out.add(ref.name(),
                fmt::format(
                    "The virtual function is {} ({}), while port {} of its physical function {} is active.",
                    *ref.port.state, ref.port.phys_state.value_or("?"), physical->number, device->name))
            .because(node.at(ref, "state"), ref.port.state)
            .because(node.at(PortRef{*device, *physical}, "state"), physical->state);
    }
}

// "MT4099 ConnectX-3 Mellanox Technologies", "localhost mlx4_0", "MT25408 ConnectX Mellanox Technologies".
bool is_factory_description(std::string_view text) {
    return text.empty() || text.starts_with("MT") || text.starts_with("localhost") ||
           text.contains("Mellanox Technologies");
}

void unhelpful_description(const Node& node, Findings& out) {
    for (const auto& device : node.report.devices)
        if (device.node_desc && is_factory_description(*device.node_desc))
            out.add(device.name,
                    fmt::format("The card calls itself \"{}\" in the fabric, as every new card does.",
                                *device.node_desc))
                .because(node.at(device, "node_desc"), device.node_desc);
}

void description_twice(const FabricView& fabric, Findings& out) {
    std::unordered_map<std::string_view, const WalkNode*> known;
    for (const auto& one : fabric.walk.nodes) {
        if (one.type != "CA" || one.description.empty() || is_factory_description(one.description)) continue;
        const auto [entry, fresh] = known.try_emplace(one.description, &one);
        if (fresh || entry->second->system_image_guid == one.system_image_guid) continue;
        out.add(one.description,
                fmt::format("Two cards of the fabric call themselves \"{}\" (routes {} and {}).",
                            one.description, entry->second->path, one.path))
            .because(fabric.at(one, "description"), one.description)
            .because(fabric.at(*entry->second, "description"), one.description);
    }
}

void several_lids(const Node& node, Findings& out) {
    for (const auto& ref : node.ports)
        if (is_infiniband(ref) && ref.port.lmc.value_or(0) > 0)
            out.add(ref.name(), fmt::format("LMC {}: the port answers to {} LIDs, from {}.", *ref.port.lmc,
                                            1u << std::min(*ref.port.lmc, 7u), ref.port.lid.value_or(0)))
                .because(node.at(ref, "lmc"), ref.port.lmc);
}

void no_lid(const Node& node, Findings& out) {
    for (const auto& ref : node.ports) {
        if (!is_infiniband(ref) || ref.port.state != "ACTIVE" || !ref.port.lid) continue;
        if (*ref.port.lid != 0 && *ref.port.lid != permissive_lid) continue;
        out.add(ref.name(),
                fmt::format("The port is active with LID {}: no subnet manager gave it one.", *ref.port.lid))
            .because(node.at(ref, "lid"), ref.port.lid);
    }
}

}  // namespace

std::vector<Rule> guid_lid_rules() {
    return {
        {.id = "GUID-01",
         .severity = Severity::error,
         .title = "A GUID twice",
         .reads = "/fabric/*/nodes/*/duplicate_of; /devices/*/node_guid of all nodes",
         .condition = "two nodes of a fabric, or devices of two hosts, have one GUID",
         .meaning = "A copied firmware image or a cloned guest. The subnet manager sweeps without end, and "
                    "one of the two vanishes now and then.",
         .remedy = "Give one of them a GUID of its own (mstflint -d ADDRESS sg).",
         .sources = "seen on a simulated fabric (opensm ERR 0D01)",
         .fabric = duplicate_guid,
         .cluster = duplicate_guid_of_nodes},
        {.id = "GUID-02",
         .severity = Severity::error,
         .title = "A GUID that is zero",
         .reads = "/devices/*/node_guid, ports/*/port_guid",
         .condition = "all zero, on an InfiniBand device",
         .meaning = "A virtual function that was given none, or a card whose flash lost it: no subnet "
                    "manager accepts it.",
         .remedy =
             "For a virtual function: ip link set PF vf N node_guid GUID, and port_guid; then bind it again.",
         .sources = "k8snetworkplumbingwg/sriov-network-device-plugin issue 269",
         .needs = {Part::devices},
         .applies = has_infiniband,
         .node = zero_guid},
        {.id = "GUID-03",
         .severity = Severity::error,
         .title = "A virtual function stays down",
         .reads = "/devices/*/virtual_function, ports/*/state; /pci/*/physical_function",
         .condition = "an InfiniBand virtual function DOWN or INIT under an ACTIVE physical port",
         .meaning = "Its link policy or GUID is not set, or the subnet manager does not know virtual ports.",
         .remedy =
             "ip link set PF vf N state auto, and its GUIDs; in the vendor's opensm.conf: virt_enabled 2.",
         .sources = "openshift/sriov-network-operator issue 635",
         .needs = {Part::devices, Part::pci},
         .applies = has_infiniband,
         .node = dead_virtual_function},
        {.id = "GUID-04",
         .severity = Severity::info,
         .title = "A card without a name of its own in the fabric",
         .reads = "/devices/*/node_desc; /fabric/*/nodes/*/description",
         .condition = "the factory's description, or one that stands twice",
         .meaning = "Maps of the fabric cannot be read.",
         .remedy = "apt install rdma-core and let rdma-ndd set it, or write \"HOST DEVICE\" into node_desc.",
         .sources = "rdma-ndd(8)",
         .needs = {Part::devices},
         .applies = has_infiniband,
         .node = unhelpful_description,
         .fabric = description_twice},
        {.id = "LID-01",
         .severity = Severity::info,
         .title = "Several LIDs on a port",
         .reads = "/devices/*/ports/*/lmc, lid",
         .condition = "LMC above 0",
         .meaning = "Whoever compares LIDs must compare ranges. Normal where it is wanted.",
         .remedy = "Nothing, or lmc 0 in opensm.conf.",
         .sources = "IBA vol. 1, 4.1.3",
         .needs = {Part::devices},
         .applies = has_infiniband,
         .node = several_lids},
        {.id = "LID-02",
         .severity = Severity::warning,
         .title = "An active port without a LID",
         .reads = "/devices/*/ports/*/lid, state",
         .condition = "ACTIVE with LID 0 or 65535",
         .meaning = "The subnet manager has not configured it, or the state is not what it seems.",
         .remedy = "As for SM-01.",
         .sources = "openshift/sriov-network-operator issue 635",
         .needs = {Part::devices},
         .applies = has_infiniband,
         .node = no_lid},
    };
}

}  // namespace pve_rdma::doctor
