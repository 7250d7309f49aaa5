// The card's firmware: its age, what waits for a reboot, whose it is.
#include <algorithm>

#include <fmt/format.h>

#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"
#include "doctor/words.h"

namespace pve_rdma::doctor {

namespace {

constexpr std::uint16_t mellanox = 0x15b3;

std::optional<NicFamily> family_of_device(const Node& node, const RdmaDevice& device) {
    if (device.pci)
        if (const PciDevice* const pci = node.find_pci(*device.pci)) return family_of(*pci);
    // "MT4099" is the PCI device id in decimal.
    if (device.hca_type && device.hca_type->starts_with("MT"))
        if (const auto id = parse_number<std::uint16_t>(std::string_view(*device.hca_type).substr(2)))
            return family_by_pci_id(mellanox, *id);
    return std::nullopt;
}

// A family that the vendor's driver left behind gets no more firmware.
bool is_final(const NicFamily& family) {
    return family.doca == "no" || family.doca.starts_with("until");
}

bool is_oem(std::string_view psid) {
    return !psid.empty() && !psid.starts_with("MT_");
}

void old_firmware(const Node& node, Findings& out) {
    for (const auto& device : node.report.devices) {
        if (!device.fw_ver || is_virtual_function(node, device)) continue;
        const auto family = family_of_device(node, device);
        const auto has = FirmwareVersion::read(*device.fw_ver);
        if (!family || !family->last_firmware || !has) continue;
        const auto last = *family->last_firmware;
        // The first number is the family's: another one is another card's firmware.
        if (has->major_number != last.major_number || *has >= last) continue;
        const std::string board = device.board_id.value_or("");
        auto& finding =
            out.add(device.name,
                    fmt::format("Firmware {} on this {}{}; the {} is {}.", *device.fw_ver, family->name,
                                board.empty() ? "" : fmt::format(" (PSID {})", board),
                                is_final(*family) ? "last one for it" : "newest known here", last.text()))
                .because(node.at(device, "fw_ver"), device.fw_ver)
                .as(is_final(*family) ? Severity::warning : Severity::info)
                .as(family->firmware_confidence == Confidence::high ? Certainty::certain : Certainty::likely);
        if (!device.board_id) continue;
        finding.because(node.at(device, "board_id"), device.board_id);
        if (is_oem(board))
            finding.do_this(
                fmt::format("The board is an OEM's (PSID {}): take the newest firmware that its maker offers "
                            "for this PSID, whose last may be below {}. Then switch the node off and on.",
                            board, last.text()));
    }
}

void waiting_firmware(const Node& node, Findings& out) {
    for (const auto& device : node.report.devlink)
        for (const auto& [key, running] : device.running) {
            const auto stored = device.stored.find(key);
            if (!key.starts_with("fw") || stored == device.stored.end() || stored->second == running)
                continue;
            out.add(device.handle,
                    fmt::format("{} runs {} and {} is stored: it waits for a restart of the card.", key,
                                running, stored->second))
                .because(node.at(device, "running/" + key), running)
                .because(node.at(device, "stored/" + key), stored->second);
            break;  // fw and fw.version say the same
        }
}

void foreign_firmware(const Node& node, Findings& out) {
    for (const auto& device : node.report.devices) {
        if (!device.board_id || !device.pci || is_virtual_function(node, device)) continue;
        const PciDevice* const pci = node.find_pci(*device.pci);
        if (!pci || pci->vendor_id != mellanox || !pci->subsystem_vendor_id || !*pci->subsystem_vendor_id)
            continue;
        if (is_oem(*device.board_id) || *pci->subsystem_vendor_id == mellanox) continue;
        out.add(device.name, fmt::format("The board is of vendor 0x{:04x}, its firmware of Mellanox (PSID "
                                         "{}): it was flashed with another maker's image.",
                                         *pci->subsystem_vendor_id, *device.board_id))
            .because(node.at(device, "board_id"), device.board_id)
            .because(node.at(*pci, "subsystem_vendor_id"), pci->subsystem_vendor_id)
            .as(Certainty::likely);
    }
}

void tool_too_new(const Node& node, Findings& out) {
    const Package* const tool = node.find_package("mstflint");
    if (!tool) return;
    const auto version = version_numbers(tool->version);
    if (version < std::vector<std::uint32_t>{4, 26}) return;
    for (const auto& pci : node.report.pci) {
        const auto family = family_of(pci);
        if (!family || !family->name.starts_with("ConnectX-3")) continue;
        out.add(pci.address, fmt::format("mstflint {} does not know {} any more: that it refuses the card or "
                                         "crashes says nothing about the card.",
                                         tool->version, family->name))
            .because(node.at(*tool, "version"), tool->version)
            .because(node.at(pci, "device_id"), pci.device_id);
    }
}

}  // namespace

std::vector<Rule> firmware_rules() {
    return {
        {.id = "FW-01",
         .severity = Severity::warning,
         .title = "Old firmware",
         .reads = "/devices/*/fw_ver, board_id, hca_type; /pci/*/device_id",
         .condition = "older than the last firmware of a family that gets no more; of a family that still "
                      "does: for information",
         .meaning = "Known faults stay: on ConnectX-3 among them autonegotiation at 40G.",
         .remedy = "Flash the newest image for exactly this PSID (mstflint), then switch the node off and "
                   "on; one node at a time, with access to its console.",
         .sources = "NVIDIA, firmware and supported adapters",
         .needs = {Part::devices},
         .applies = has_rdma,
         .node = old_firmware},
        {.id = "FW-02",
         .severity = Severity::info,
         .title = "New firmware waits for a restart",
         .reads = "/devlink/*/running, stored",
         .condition = "the running and the stored version differ",
         .meaning = "The card was flashed and not restarted.",
         .remedy = "Switch the node off and on: a warm reboot may not do.",
         .sources = "devlink-dev(8)",
         .needs = {Part::pci, Part::devlink},
         .applies = has_card,
         .node = waiting_firmware},
        {.id = "FW-03",
         .severity = Severity::warning,
         .title = "Another maker's firmware on a board",
         .reads = "/devices/*/board_id; /pci/*/subsystem_vendor_id",
         .condition = "a PSID of Mellanox on a board of another subsystem vendor",
         .meaning =
             "Ports, LEDs, power limits and product data may be wrong; the maker's updates refuse the card.",
         .remedy = "Keep a copy of the flash (mstflint ri); change nothing on a card that works.",
         .sources = "debene.dev, ConnectX-3 crossflash; Mellanox/mstflint issue 516",
         .needs = {Part::devices, Part::pci},
         .applies = has_rdma,
         .node = foreign_firmware},
        {.id = "FW-04",
         .severity = Severity::info,
         .title = "A firmware tool that no longer knows the card",
         .reads = "/system/packages mstflint; /pci/*/device_id",
         .condition = "mstflint 4.26 or later and a ConnectX-3",
         .meaning = "The tool answers with an error or crashes on a healthy card. What this report says of "
                    "firmware comes from the kernel.",
         .remedy = "mstflint 4.25 for such cards.",
         .sources = "Mellanox/mstflint issues 590 and 1157",
         .needs = {Part::pci, Part::packages},
         .applies = has_card,
         .node = tool_too_new},
    };
}

}  // namespace pve_rdma::doctor
