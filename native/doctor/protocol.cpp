// InfiniBand or Ethernet: what a VPI port is, and what somebody wanted it to be.
#include <algorithm>

#include <fmt/format.h>

#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"

namespace pve_rdma::doctor {

namespace {

struct Wish {
    std::string path, value;
};

// mlx4_core takes the wish from the kernel's command line or as a module parameter; 1 is InfiniBand.
std::optional<Wish> wish_for_infiniband(const Node& node) {
    const auto& words = node.report.system.command_line;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i].starts_with("mlx4_core.port_type_array=1"))
            return Wish{fmt::format("/system/command_line/{}", i), words[i]};
    if (const Module* const core = node.find_module("mlx4_core"))
        if (const auto types = core->parameters.find("port_type_array");
            types != core->parameters.end() && types->second.starts_with('1'))
            return Wish{node.at(*core, "parameters/port_type_array"), types->second};
    return std::nullopt;
}

std::string number_of_type(std::string_view type) {  // mlx4_port1 -> 1
    return std::string(type.substr(type.find_last_not_of("0123456789") + 1));
}

void wrong_protocol(const Node& node, Findings& out) {
    for (const auto& device : node.report.devlink)
        for (std::size_t i = 0; i < device.ports.size(); ++i) {
            const auto& port = device.ports[i];
            if (!port.type || !port.desired_type || *port.desired_type == "auto" ||
                *port.type == *port.desired_type || *port.type == "notset")
                continue;
            out.add(fmt::format("{} port {}", device.handle, port.index),
                    fmt::format("The port is {}, and {} is asked for.", *port.type, *port.desired_type))
                .because(node.at(device, fmt::format("ports/{}/type", i)), port.type)
                .because(node.at(device, fmt::format("ports/{}/desired_type", i)), port.desired_type);
        }
    const auto wish = wish_for_infiniband(node);
    for (const auto& ref : node.ports) {
        if (!is_ethernet(ref) || !ref.device.pci) continue;
        const PciDevice* const pci = node.find_pci(*ref.device.pci);
        if (!pci) continue;
        for (const auto& [file, type] : pci->port_types) {
            if (number_of_type(file) != std::to_string(ref.port.number) || type != "ib") continue;
            out.add(ref.name(), "The port is set to InfiniBand and runs as Ethernet.")
                .because(node.at(*pci, "port_types/" + file), type)
                .because(node.at(ref, "link_layer"), ref.port.link_layer);
        }
        // A board that cannot is PROTO-02's.
        const auto board = board_by_psid(ref.device.board_id.value_or(""));
        if (wish && ref.device.driver == "mlx4_core" &&
            !(board && board->protocols == BoardProtocols::ethernet))
            out.add(ref.name(), "The kernel was told to make the port InfiniBand, and it runs as Ethernet.")
                .because(wish->path, wish->value)
                .because(node.at(ref, "link_layer"), ref.port.link_layer)
                .as(Certainty::likely);
    }
}

void cannot_switch(const Node& node, Findings& out) {
    const auto wish = wish_for_infiniband(node);
    for (const auto& ref : node.ports) {
        if (!is_ethernet(ref) || !ref.device.board_id) continue;
        const auto board = board_by_psid(*ref.device.board_id);
        if (!board || board->protocols != BoardProtocols::ethernet) continue;
        auto& finding =
            out.add(ref.name(), fmt::format("The firmware on this card (PSID {}, {}) knows Ethernet only: no "
                                            "setting makes the port InfiniBand.",
                                            board->psid, board->name))
                .because(node.at(ref.device, "board_id"), ref.device.board_id)
                .because(node.at(ref, "link_layer"), ref.port.link_layer)
                .as(board->confidence == Confidence::high ? Certainty::certain : Certainty::likely);
        if (wish)
            finding.because(wish->path, wish->value);
        else
            finding.as(Severity::info);
    }
}

void unsupported_pair(const Node& node, Findings& out) {
    for (const auto& pci : node.report.pci) {
        const auto first = pci.port_types.find("mlx4_port1"), second = pci.port_types.find("mlx4_port2");
        if (first == pci.port_types.end() || second == pci.port_types.end()) continue;
        if (first->second != "eth" || second->second != "ib") continue;
        out.add(
               pci.address,
               "Port 1 is Ethernet and port 2 InfiniBand: ConnectX-3 takes the two only the other way round.")
            .because(node.at(pci, "port_types/mlx4_port1"), first->second)
            .because(node.at(pci, "port_types/mlx4_port2"), second->second);
    }
}

}  // namespace

std::vector<Rule> protocol_rules() {
    return {
        {.id = "PROTO-01",
         .severity = Severity::error,
         .title = "A port speaks another protocol than it should",
         .reads = "/devlink/*/ports/*/type, desired_type; /pci/*/port_types; /system/command_line; "
                  "/devices/*/ports/*/link_layer",
         .condition = "what the port is differs from what devlink, the port type file, or mlx4_core's "
                      "port_type_array asks for",
         .meaning =
             "The other end is InfiniBand and this one Ethernet, or back: no link comes up, with any cable.",
         .remedy =
             "ConnectX-3: echo ib > /sys/bus/pci/devices/ADDRESS/mlx4_port1 (or eth), or devlink port set "
             "type. ConnectX-4 and later: mstconfig set LINK_TYPE_P1=1 (2 is Ethernet), then reboot.",
         .sources = "MLNX_OFED manual, port configuration; devlink-port(8)",
         .needs = {Part::pci, Part::devices},
         .applies = has_card,
         .node = wrong_protocol},
        {.id = "PROTO-02",
         .severity = Severity::warning,
         .title = "This card cannot become InfiniBand",
         .reads = "/devices/*/board_id, ports/*/link_layer",
         .condition = "the PSID is of an image for Ethernet only; a warning where InfiniBand is asked for, "
                      "else for information",
         .meaning = "There is no port type to switch. Only another firmware image would change that, which "
                    "the maker does not support and which can cost the card.",
         .remedy = "Use it as Ethernet (40 Gb/s on ConnectX-3), or take a VPI card.",
         .sources = "debene.dev, ConnectX-3 crossflash",
         .needs = {Part::devices},
         .applies = has_roce,
         .node = cannot_switch},
        {.id = "PROTO-03",
         .severity = Severity::error,
         .title = "Port types in an order that the card does not take",
         .reads = "/pci/*/port_types",
         .condition = "mlx4_port1 is eth and mlx4_port2 is ib",
         .meaning = "The driver refuses the combination, or runs one port wrong.",
         .remedy = "Swap the types (port 1 ib, port 2 eth) and the cables.",
         .sources = "MLNX_OFED manual, port configuration of ConnectX-3",
         .needs = {Part::pci},
         .applies = has_card,
         .node = unsupported_pair},
    };
}

}  // namespace pve_rdma::doctor
