// The slot under a card.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"

namespace pve_rdma::doctor {

namespace {

constexpr Limit slack{"speed of the links over that of the slot", 1.03, "times",
                      "a difference that nobody can measure is none"};

// Gb/s of data: InfiniBand up to QDR spends a fifth on line coding, which the rate includes.
double data_rate(const Port& port) {
    const double rate = port.rate_gbps.value_or(0);
    if (port.link_layer == "Ethernet" || !port.active_speed) return rate;
    if (*port.active_speed == "SDR" || *port.active_speed == "DDR" || *port.active_speed == "QDR")
        return rate * 0.8;
    return rate * 64 / 66;
}

// Gb/s that the ports on a function carry now, by their links' speeds; 0 when no link is up.
double port_rate(const Node& node, const PciDevice& pci) {
    double rate = 0;
    for (const auto& ref : node.ports)
        if (ref.device.pci == pci.address && ref.port.state == "ACTIVE") rate += data_rate(ref.port);
    if (rate > 0) return rate;
    for (const auto& name : pci.netdevs) {
        const Link* const link = node.find_link(name);
        if (link && link->ethernet && link->carrier.value_or(true) && link->ethernet->speed)
            rate += *link->ethernet->speed / 1000.0;
    }
    return rate;
}

void slow_slot(const Node& node, Findings& out) {
    for (const auto& pci : node.report.pci) {
        if (pci.physical_function || pci.links.empty() || pci.driver == "vfio-pci") continue;
        if (!is_card(pci) && pci.rdma_devices.empty()) continue;
        const PciLink& own = pci.links.front();
        const auto budget = pci.bandwidth_gbps ? pci.bandwidth_gbps : own.bandwidth_gbps;
        if (!budget) continue;
        const double rate = port_rate(node, pci);
        const bool too_slow = rate > *budget * slack.value;
        if (!too_slow && !pci.limited_by) continue;
        auto& finding = out.add(pci.address, "");
        finding.message = fmt::format("The slot carries {:.3f} Gb/s (PCIe {:g} GT/s x{})", *budget,
                                      own.current_speed_gts.value_or(0), own.current_width.value_or(0));
        if (own.max_bandwidth_gbps)
            finding.message += fmt::format(", the card could {:.3f} (x{})", *own.max_bandwidth_gbps,
                                           own.max_width.value_or(0));
        if (pci.limited_by && *pci.limited_by != pci.address)
            finding.message += fmt::format("; the slowest hop is {}", *pci.limited_by);
        finding.message += rate > 0 ? fmt::format("; its ports carry {:.4g} Gb/s.", rate) : ".";
        if (pci.bandwidth_gbps)
            finding.because(node.at(pci, "bandwidth_gbps"), pci.bandwidth_gbps);
        else
            finding.because(node.at(pci, "links/0/bandwidth_gbps"), own.bandwidth_gbps);
        if (own.max_width) finding.because(node.at(pci, "links/0/max_width"), own.max_width);
        if (!too_slow) finding.as(Severity::info);
    }
}

void no_numa_node(const Node& node, Findings& out) {
    if (node.report.system.numa_nodes.value_or(1) < 2) return;
    for (const auto& pci : node.report.pci)
        if (is_card(pci) && pci.numa_node == -1)
            out.add(pci.address,
                    fmt::format(
                        "The firmware does not say to which of the {} processors' memory the card is near.",
                        *node.report.system.numa_nodes))
                .because(node.at(pci, "numa_node"), pci.numa_node)
                .because("/system/numa_nodes", node.report.system.numa_nodes);
}

void one_board_twice(const Node& node, Findings& out) {
    struct Board {
        std::vector<const RdmaDevice*> devices;
        std::string slot;
        bool several_slots = false;
    };
    std::map<std::uint64_t, Board> boards;
    for (const auto& device : node.report.devices) {
        if (!device.sys_image_guid || device.sys_image_guid->is_zero() || !device.pci) continue;
        if (is_virtual_function(node, device)) continue;
        Board& board = boards[device.sys_image_guid->value];
        const std::string slot = device.pci->substr(0, device.pci->find('.'));
        board.several_slots |= !board.slot.empty() && board.slot != slot;
        board.slot = slot;
        board.devices.push_back(&device);
    }
    for (const auto& [guid, board] : boards) {
        if (!board.several_slots) continue;
        std::string names;
        for (const auto* device : board.devices)
            names += (names.empty() ? "" : ", ") + device->name;
        auto& finding =
            out.add(board.devices.front()->name,
                    fmt::format("{} are one board (system image GUID {}) on several PCI slots: its ports are "
                                "shown once for each, and their rates do not add up.",
                                names, Guid{guid}.text()));
        for (const auto* device : board.devices)
            finding.because(node.at(*device, "sys_image_guid"), device->sys_image_guid);
    }
}

}  // namespace

std::vector<Rule> pci_rules() {
    return {
        {.id = "PCI-01",
         .severity = Severity::warning,
         .title = "The slot is slower than the card",
         .reads = "/pci/*/links, bandwidth_gbps, limited_by; /devices/*/ports/*/rate_gbps; "
                  "/links/*/ethernet/speed",
         .condition = "the slowest hop to the processor carries less than the links that are up; less than "
                      "the card could, but enough: for information",
         .meaning = "The bus is the limit, and no setting of the network changes it.",
         .remedy = "A slot with more lanes or of a newer generation; look at bifurcation in the firmware "
                   "setup, and at risers.",
         .sources = "PCI Express Base Specification; kernel pcie_bandwidth_available()",
         .needs = {Part::pci, Part::devices},
         .thresholds = {slack},
         .node = slow_slot},
        {.id = "PCI-02",
         .severity = Severity::info,
         .title = "Nobody knows which processor the card is near",
         .reads = "/pci/*/numa_node; /system/numa_nodes",
         .condition = "several NUMA nodes, and the card's is -1",
         .meaning = "Interrupts and memory land on any processor: latency varies.",
         .remedy = "A firmware (BIOS) update; or pin the work by hand.",
         .sources = "Documentation/ABI/testing/sysfs-bus-pci",
         .needs = {Part::pci, Part::system},
         .applies = has_card,
         .node = no_numa_node},
        {.id = "PCI-03",
         .severity = Severity::info,
         .title = "One board, shown several times",
         .reads = "/devices/*/sys_image_guid, pci",
         .condition = "devices of different slots have one system image GUID",
         .meaning = "A card with two PCI attachments shows each port twice; their rates must not be added.",
         .remedy = "Nothing.",
         .sources = "NVIDIA/nccl issue 307",
         .needs = {Part::devices},
         .applies = has_rdma,
         .node = one_board_twice},
    };
}

}  // namespace pve_rdma::doctor
