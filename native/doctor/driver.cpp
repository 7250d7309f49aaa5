// What drivers complain of: devlink's health reporters and the kernel's log.
#include <algorithm>

#include <fmt/format.h>

#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"

namespace pve_rdma::doctor {

namespace {

// Lines after which a card does not work. The words are those of mlx5_core and mlx4_core.
constexpr std::string_view dead_card[] = {
    "Firmware over",           // ... MS in pre-initializing state, aborting
    "failed with error code",  // mlx5_load_one failed with error code -16
    "health compromised",     "assert_var", "fatal error", "command interface is down", "Failed to map fw",
    "probe with driver mlx",
};

struct KnownTrouble {
    std::string_view first, second;  // both stand in the line
    std::string_view meaning;
};
constexpr KnownTrouble known_troubles[] = {
    {"create_mkey", "0x35e6ec",
     "a fault of the vendor driver with NVMe protection information, not of cabling"},
    {"vlans list size", "max vport list size",
     "the card's VLAN filter is too small, and some VLANs are dropped"},
    {"LSO not supported", "upgrade", "the firmware is too old for segmentation offload"},
};

// "mlx5_core 0000:03:00.0: ..." -> 0000:03:00.0
std::string subject_of(const std::string& line) {
    for (std::size_t colon = line.find(':'); colon != std::string::npos; colon = line.find(':', colon + 1))
        if (colon >= 4 && line.size() >= colon + 8 && line[colon + 3] == ':' && line[colon + 6] == '.')
            return line.substr(colon - 4, 12);
    return line.substr(0, line.find_first_of(" :"));
}

std::string log_path(std::size_t i) {
    return fmt::format("/system/kernel_log/{}", i);
}

void unhealthy(const Node& node, Findings& out) {
    for (const auto& device : node.report.devlink)
        for (std::size_t i = 0; i < device.reporters.size(); ++i) {
            const auto& reporter = device.reporters[i];
            if (reporter.state.value_or("healthy") == "healthy") continue;
            out.add(device.handle,
                    fmt::format("The driver's health reporter {} says {} ({} errors, {} recoveries).",
                                reporter.name, *reporter.state, reporter.error.value_or(0),
                                reporter.recover.value_or(0)))
                .because(node.at(device, fmt::format("reporters/{}/state", i)), reporter.state);
        }
    const auto& log = node.report.system.kernel_log;
    std::vector<std::string> told;  // one finding for each card: the first line is the cause, the rest follow
    for (std::size_t i = 0; i < log.size(); ++i) {
        if (!log[i].contains("mlx")) continue;
        if (std::ranges::none_of(dead_card, [&](std::string_view words) { return log[i].contains(words); }))
            continue;
        std::string subject = subject_of(log[i]);
        if (std::ranges::find(told, subject) != told.end()) continue;
        told.push_back(subject);
        out.add(std::move(subject), fmt::format("The driver gave up on the card: {}", log[i]))
            .because(log_path(i), log[i]);
    }
    if (node.report.devlink.empty() && node.missing(Part::kernel_log))
        out.unknown(*node.missing(Part::kernel_log));
}

void little_power(const Node& node, Findings& out) {
    const auto& log = node.report.system.kernel_log;
    for (std::size_t i = 0; i < log.size(); ++i)
        if (log[i].contains("insufficient power"))
            out.add(subject_of(log[i]), fmt::format("The slot gives the card too little power: {}", log[i]))
                .because(log_path(i), log[i]);
}

void known_trouble(const Node& node, Findings& out) {
    const auto& log = node.report.system.kernel_log;
    for (std::size_t i = 0; i < log.size(); ++i)
        for (const auto& known : known_troubles)
            if (log[i].contains(known.first) && log[i].contains(known.second))
                out.add(subject_of(log[i]), fmt::format("The kernel says \"{}\": {}.", log[i], known.meaning))
                    .because(log_path(i), log[i]);
}

}  // namespace

std::vector<Rule> driver_rules() {
    return {
        {.id = "DRV-01",
         .severity = Severity::error,
         .title = "The driver could not start the card, or reports it sick",
         .reads = "/devlink/*/reporters/*/state; /system/kernel_log",
         .condition = "a health reporter that is not healthy, or a line of the kernel log with which mlx4 or "
                      "mlx5 gives up",
         .meaning = "Firmware and driver do not fit, the firmware hangs, or the card is broken.",
         .remedy = "Switch the node off for a minute and on again; if it stays, put the card into another "
                   "slot, and only then think of its firmware: an image for another PSID makes it worse.",
         .sources = "drivers/net/ethernet/mellanox/mlx5/core/main.c, health.c",
         .needs = {Part::pci},
         .applies = has_card,
         .node = unhealthy},
        {.id = "DRV-02",
         .severity = Severity::warning,
         .title = "The slot gives too little power",
         .reads = "/system/kernel_log",
         .condition = "mlx5 logs insufficient power on the PCIe slot",
         .meaning = "Optics are switched off, or links flap under load.",
         .remedy = "Another slot, the card's extra power cable, or cables that need less.",
         .sources = "drivers/net/ethernet/mellanox/mlx5/core/events.c",
         .needs = {Part::pci, Part::kernel_log},
         .applies = has_card,
         .node = little_power},
        {.id = "DRV-03",
         .severity = Severity::warning,
         .title = "A known trouble of a driver",
         .reads = "/system/kernel_log",
         .condition = "a line of the kernel log that stands in a list of known troubles",
         .meaning = "The cause is known, and it is not the cable.",
         .remedy = "Another version of the driver or firmware; the message names which trouble it is.",
         .sources = "openucx/ucx issue 9488; mlx5 en_fs.c; mlx4 en_netdev.c",
         .needs = {Part::devices, Part::kernel_log},
         .applies = has_rdma,
         .node = known_trouble},
    };
}

}  // namespace pve_rdma::doctor
