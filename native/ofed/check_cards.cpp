// The cards: whether the driver knows them, their firmware, and what the log says: OFED-10, 19, 23, 24, 26.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "boards/boards.h"
#include "doctor/service_networks.h"
#include "doctor/words.h"
#include "ofed/check.h"
#include "ofed/rules.h"
#include "ofed/tables.h"

namespace pve_rdma::ofed {

namespace {

using doctor::Certainty;
using doctor::Findings;
using doctor::Severity;

constexpr std::uint16_t mellanox = 0x15b3;
constexpr std::string_view last_mlnx_ofed = "24.10";

struct Card {
    const PciDevice& pci;
    NicFamily family;
};

std::vector<Card> cards_of(const NodeReport& report) {
    std::vector<Card> cards;
    for (const auto& pci : report.pci) {
        if (pci.vendor_id != mellanox || !pci.device_id || pci.physical_function) continue;
        if (const auto family = family_by_pci_id(mellanox, static_cast<std::uint16_t>(*pci.device_id)))
            cards.push_back({pci, *family});
    }
    return cards;
}

// Why the release has no driver for the family; empty: it has, or nobody knows (then `unsure` is set).
std::string unsupported(const NicFamily& family, const std::string& release, bool& unsure) {
    if (!family.dropped_by_ofed.empty() && release_at_least(release, family.dropped_by_ofed))
        return fmt::format("MLNX_OFED {} dropped it; {} is the last that has it", family.dropped_by_ofed,
                           family.last_ofed);
    const bool newer = !family.last_ofed.empty() && !release_at_most(release, family.last_ofed);
    if (family.doca == "no" && family.last_ofed.empty()) return "no release from 4.x on has it";
    if (newer && family.doca.starts_with("until"))
        return fmt::format("{} is the last that has it (DOCA {})", family.last_ofed, family.doca);
    if (family.last_ofed.empty() && family.doca == "yes" && release_at_most(release, last_mlnx_ofed))
        return "only DOCA has a driver for it";
    unsure = newer && family.doca == "unknown";
    if (unsure) return fmt::format("whether DOCA behind {} has it was not found", family.last_ofed);
    return {};
}

void check_support(const Situation& of, const Card& card, Findings& out) {
    out.speak_for(check_rule("OFED-10"), of.in.node.name);
    if (!of.release) return out.unknown("the driver's release is not known");
    bool unsure = false;
    const auto why = unsupported(card.family, *of.release, unsure);
    if (why.empty()) return;
    out.add(card.pci.address, fmt::format("Driver {} has no {}: {}.", *of.release, card.family.name, why))
        .because(of.in.node.at(card.pci, "device_id"), card.pci.device_id)
        .as(unsure ? Severity::warning : Severity::error)
        .as(card.family.confidence == Confidence::high && !unsure ? Certainty::certain : Certainty::likely);
}

const RdmaDevice* device_of(const NodeReport& report, const PciDevice& pci) {
    const auto found =
        std::ranges::find_if(report.devices, [&](const RdmaDevice& one) { return one.pci == pci.address; });
    return found == report.devices.end() ? nullptr : &*found;
}

// A PSID that is not of the family that the card is, or of another maker.
bool is_foreign(std::string_view psid) {
    const auto oem = oem_by_psid(psid);
    return !psid.empty() && oem != "Mellanox";
}

void check_firmware(const Situation& of, const Card& card, Findings& out) {
    out.speak_for(check_rule("OFED-19"), of.in.node.name);
    const auto* device = device_of(of.in.node.report, card.pci);
    if (!device || !device->fw_ver) return out.unknown("the card's firmware could not be read");
    const auto has = FirmwareVersion::read(*device->fw_ver);
    if (!has) return;
    for (const auto& need : firmware_needs())
        if (of.release && need.family == card.family.name && release_at_least(*of.release, need.release) &&
            *has < need.least)
            out.add(device->name,
                    fmt::format("Firmware {} is older than driver {} needs of a {} ({}).", *device->fw_ver,
                                *of.release, card.family.name, need.least.text()))
                .because(of.in.node.at(*device, "fw_ver"), device->fw_ver)
                .as(Certainty::likely)
                .do_this("Update the firmware first, with the maker's image for this PSID.");
    const std::string psid = device->board_id.value_or("");
    const bool final = card.family.last_firmware && *has >= *card.family.last_firmware;
    const bool updates = of.vendor && !of.in.flags.without_fw_update && !of.in.flags.check_only;
    if (updates && (is_foreign(psid) || of.in.flags.force_fw_update || (final && of.replaces_core)))
        out.add(device->name,
                fmt::format("The installer would update the firmware {}: {}.", *device->fw_ver,
                            is_foreign(psid) ? fmt::format("the board is another maker's (PSID {})", psid)
                            : final          ? "it is the last one of the family, there is nothing to gain"
                                             : "--force-fw-update takes any image"))
            .because(of.in.node.at(*device, "fw_ver"), device->fw_ver);
}

// A card that the kernel's driver gave up, for a cause that is not the driver's.
void check_log(const Situation& of, const Card& card, Findings& out) {
    out.speak_for(check_rule("OFED-26"), of.in.node.name);
    const auto& log = of.in.node.report.system.kernel_log;
    for (const auto& cause : log_causes())
        for (std::size_t i = 0; i < log.size(); ++i)
            if (log[i].contains(card.pci.address) && log[i].contains(cause.words)) {
                out.add(card.pci.address,
                        fmt::format("The kernel's log says \"{}\": {}.", cause.words, cause.what))
                    .because(fmt::format("/system/kernel_log/{}", i), log[i])
                    .as(cause.confidence == Confidence::high ? Certainty::certain : Certainty::likely)
                    .do_this(fmt::format("Do not change the driver for it; {}.", cause.remedy));
                break;
            }
}

// Links of the card that carry a default route or a network of the cluster.
void check_network(const Situation& of, const std::vector<Card>& cards, Findings& out) {
    out.speak_for(check_rule("OFED-23"), of.in.node.name);
    std::set<std::string> own;
    for (const auto& card : cards)
        own.insert(card.pci.netdevs.begin(), card.pci.netdevs.end());
    std::map<std::string, std::string> used;
    const auto note = [&](const Link& link, const std::string& what) {
        for (const auto* below : doctor::links_below(of.in.node, link))
            if (own.contains(below->ifname)) used.try_emplace(below->ifname, what);
        if (own.contains(link.ifname)) used.try_emplace(link.ifname, what);
    };
    for (const auto& [network, link] : doctor::service_links(of.in.node))
        if (link) note(*link, network->service);
    for (const auto& [name, what] : used)
        out.add(name, fmt::format("{} runs over this port.", what));
}

}  // namespace

void check_cards(const Situation& of, Findings& out) {
    const auto cards = cards_of(of.in.node.report);
    out.speak_for(check_rule("OFED-10"), of.in.node.name);
    if (const auto missing = of.in.node.missing(doctor::Part::pci); missing && of.replaces_core) {
        out.unknown(*missing);
        return;
    }
    for (const auto& card : cards) {
        if (of.replaces_core || (of.vendor && !of.packages.empty())) check_support(of, card, out);
        if (of.replaces_core || of.vendor) check_firmware(of, card, out);
        check_log(of, card, out);
        const auto* module = of.in.node.find_module(card.family.driver);
        out.speak_for(check_rule("OFED-24"), of.in.node.name);
        if (module && module->loaded && module->origin.value_or("kernel") == "kernel")
            out.add(card.pci.address,
                    fmt::format("{} is driven by the kernel's own {}.", card.family.name, card.family.driver))
                .because(of.in.node.at(card.pci, "driver"), card.pci.driver);
    }
    if (of.replaces_core) check_network(of, cards, out);
}

}  // namespace pve_rdma::ofed
