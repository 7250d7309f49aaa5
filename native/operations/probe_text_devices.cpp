#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "operations/probe_text.h"

namespace pve_rdma {

namespace {

std::string or_unknown(const std::optional<std::string>& text) {
    return text ? one_line(*text) : "?";
}

Cell state_cell(const Port& port) {
    const std::string state = or_unknown(port.state);
    const Tone tone = state == "ACTIVE" ? Tone::good : state == "DOWN" ? Tone::bad : Tone::warning;
    if (!port.phys_state || *port.phys_state == "LINK_UP") return {state, tone};
    return {fmt::format("{} {}", state, one_line(*port.phys_state)), tone};
}

std::string rate_text(const Port& port) {
    if (port.rate) {
        // "56 Gb/sec (4X FDR)" -> "56G 4X FDR"
        std::string text = one_line(*port.rate);
        if (const auto unit = text.find(" Gb/sec"); unit != std::string::npos) {
            text.replace(unit, 7, "G");
            std::erase(text, '(');
            std::erase(text, ')');
        }
        return text;
    }
    if (port.active_width && port.active_speed)
        return fmt::format("{} {}", *port.active_width, *port.active_speed);
    return {};
}

std::string mtu_text(const Port& port) {
    if (port.active_mtu && port.max_mtu && *port.active_mtu != *port.max_mtu)
        return fmt::format("{} of {}", *port.active_mtu, *port.max_mtu);
    if (port.active_mtu) return std::to_string(*port.active_mtu);
    if (port.subnet && port.subnet->port_info) return std::to_string(port.subnet->port_info->neighbor_mtu);
    return {};
}

std::string number_text(const std::optional<std::uint32_t>& number) {
    return number ? std::to_string(*number) : std::string();
}

// What the subnet answered, and counters that are not zero, in words below the table.
std::vector<std::string> remarks(const Port& port) {
    std::vector<std::string> lines;
    if (port.subnet) {
        const auto& subnet = *port.subnet;
        if (subnet.sm)
            lines.push_back(fmt::format("subnet manager at LID {}: {}, priority {}, GUID {}", subnet.sm->lid,
                                        subnet.sm->state, subnet.sm->priority, subnet.sm->guid.text()));
        for (const auto& ipoib : subnet.ipoib_groups)
            if (ipoib.group)
                lines.push_back(
                    fmt::format("IPoIB group of {}: MTU {}", ipoib.pkey.text(), ipoib.group->mtu));
        for (const auto& unread : subnet.unread)
            lines.push_back(fmt::format("{}: {}", unread.what, unread.text));
    }
    std::vector<std::string> errors;
    for (const auto& [name, value] : port.counters)
        if (value && (name.find("error") != std::string::npos || name.find("discard") != std::string::npos ||
                      name == "link_downed"))
            errors.push_back(fmt::format("{} {}", name, value));
    if (!errors.empty()) lines.push_back(fmt::format("counters: {}", fmt::join(errors, ", ")));
    return lines;
}

std::string device_line(const RdmaDevice& device) {
    std::vector<std::string> parts;
    if (device.hca_type) parts.push_back(one_line(*device.hca_type));
    if (device.protocol) parts.push_back(*device.protocol);
    if (device.fw_ver && !device.fw_ver->empty()) parts.push_back("firmware " + one_line(*device.fw_ver));
    if (device.board_id && !device.board_id->empty()) parts.push_back("PSID " + one_line(*device.board_id));
    if (device.pci) parts.push_back("PCI " + *device.pci);
    if (device.numa_node && *device.numa_node >= 0)
        parts.push_back(fmt::format("NUMA node {}", *device.numa_node));
    if (device.driver) parts.push_back("driver " + *device.driver);
    if (device.virtual_function.value_or(false)) parts.emplace_back("virtual function");
    if (device.node_guid) parts.push_back("GUID " + device.node_guid->text());
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string link_text(const PciLink& link) {
    if (!link.current_speed_gts || !link.current_width) return "?";
    std::string text = fmt::format("{:g} GT/s x{}", *link.current_speed_gts, *link.current_width);
    if (link.max_speed_gts && link.max_width &&
        (*link.max_speed_gts > *link.current_speed_gts || *link.max_width > *link.current_width))
        text += fmt::format(" (can {:g} x{})", *link.max_speed_gts, *link.max_width);
    return text;
}

}  // namespace

std::string devices_text(const NodeReport& report, const TextStyle& style) {
    if (!report.sources.contains("sysfs") && report.devices.empty()) return {};
    std::string out = heading("RDMA devices", style);
    if (report.devices.empty()) return out + "  none\n";
    for (const auto& device : report.devices) {
        TextTable title({}, 2);
        title.add({{device.name, Tone::bold}, device_line(device)});
        out += title.render(style);
        TextTable ports({"PORT", "STATE", "LAYER", "RATE", "LID", "SM", "MTU", "NETDEV"}, 4);
        for (const auto& port : device.ports) {
            std::vector<std::string> netdevs = port.netdevs;
            if (netdevs.empty() && port.netdev) netdevs.push_back(*port.netdev);
            ports.add({std::to_string(port.number), state_cell(port), or_unknown(port.link_layer),
                       rate_text(port), number_text(port.lid), number_text(port.sm_lid), mtu_text(port),
                       fmt::format("{}", fmt::join(netdevs, " "))});
        }
        out += ports.render(style);
        for (const auto& port : device.ports)
            for (const auto& line : remarks(port))
                out += wrapped(fmt::format("port {}: {}", port.number, line), 6, style);
    }
    return out;
}

std::string cards_text(const NodeReport& report, const TextStyle& style) {
    if (!report.sources.contains("pci")) return {};
    std::string out = heading("Cards", style);
    if (report.pci.empty()) return out + "  none on PCI\n";
    TextTable table({"PCI", "DRIVER", "LINK", "CARD"});
    for (const auto& card : report.pci) {
        std::string name = card.device_name ? one_line(*card.device_name)
                                            : fmt::format("{:04x}:{:04x}", card.vendor_id.value_or(0),
                                                          card.device_id.value_or(0));
        if (card.vpd && card.vpd->part_number)
            name += fmt::format(", part {}", one_line(*card.vpd->part_number));
        if (card.sriov_numvfs.value_or(0))
            name += fmt::format(", {} of {} VFs", *card.sriov_numvfs, card.sriov_totalvfs.value_or(0));
        if (card.physical_function) name += fmt::format(", VF of {}", *card.physical_function);
        for (const auto& [port, type] : card.port_types)
            name += fmt::format(", {} {}", port, type);
        Tone tone = Tone::plain;
        if (card.limited_by) {
            name += fmt::format("; limited to {:.0f} Gb/s by the link at {}",
                                std::floor(card.bandwidth_gbps.value_or(0)), *card.limited_by);
            tone = Tone::warning;
        }
        table.add({card.address,
                   card.driver ? Cell(*card.driver) : Cell("none", Tone::bad),
                   card.links.empty() ? std::string() : link_text(card.links.front()),
                   {name, tone}});
    }
    return out + table.render(style);
}

}  // namespace pve_rdma
