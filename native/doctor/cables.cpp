// Modules and cables, as their EEPROM tells of them.
#include <algorithm>

#include <fmt/format.h>

#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"
#include "doctor/words.h"

namespace pve_rdma::doctor {

namespace {

// Mb/s that a module of the kind can carry at most; nullopt: the kind does not tell.
std::optional<std::uint32_t> module_speed(const Transceiver& module) {
    if (module.identifier == "QSFP" || module.identifier == "QSFP+") return 56'000;  // FDR runs on QSFP+
    if (module.identifier == "QSFP28") return 112'000;
    if (module.identifier == "SFP" && module.bit_rate) return *module.bit_rate + *module.bit_rate / 10;
    return std::nullopt;
}

// The fastest of "100000baseCR4/Full".
std::uint32_t fastest(const std::vector<std::string>& modes) {
    std::uint32_t speed = 0;
    for (const auto& mode : modes) {
        const auto digits = std::string_view(mode).substr(0, mode.find("base"));
        speed = std::max(speed, parse_number<std::uint32_t>(digits).value_or(0));
    }
    return speed;
}

void slow_cable(const Node& node, Findings& out) {
    for (const auto& link : node.report.links) {
        if (!link.ethernet || !is_up(link)) continue;
        const Ethernet& ethernet = *link.ethernet;
        if (ethernet.ext_state == "No cable" || ethernet.ext_state == "Cable issue") {
            out.add(link.ifname, ethernet.ext_state == "No cable"
                                     ? "The interface is up and no cable is plugged in."
                                     : "The driver says that the cable or module is the trouble.")
                .because(node.at(link, "ethernet/ext_state"), ethernet.ext_state)
                .as(ethernet.ext_state == "No cable" ? Severity::info : Severity::warning);
            continue;
        }
        if (!ethernet.module) continue;
        const auto can = module_speed(*ethernet.module);
        const auto port = fastest(ethernet.supported);
        if (!can || port <= *can) continue;
        // A slow cable that works may be meant so.
        const bool works = ethernet.link.value_or(false);
        out.add(link.ifname, fmt::format("The port can {} Mb/s, the module in it ({}) about {} at most{}.",
                                         port, ethernet.module->identifier.value_or("unknown"), *can,
                                         works ? "" : ", and there is no link"))
            .because(node.at(link, "ethernet/module/identifier"), ethernet.module->identifier)
            .as(works ? Severity::info : Severity::warning)
            .as(Certainty::likely);
    }
}

struct Excess {
    std::string_view what;
    double limit = 0;
    bool alarm = false;
};

std::optional<Excess> excess(const Diagnostic& diagnostic) {
    if (!diagnostic.value || !diagnostic.threshold) return std::nullopt;
    const double value = *diagnostic.value;
    const Threshold& limit = *diagnostic.threshold;
    if (limit.high_alarm && *limit.high_alarm > 0 && value > *limit.high_alarm)
        return Excess{"above its high alarm", *limit.high_alarm, true};
    if (limit.low_alarm && value < *limit.low_alarm)
        return Excess{"below its low alarm", *limit.low_alarm, true};
    if (limit.high_warning && *limit.high_warning > 0 && value > *limit.high_warning)
        return Excess{"above its high warning", *limit.high_warning, false};
    if (limit.low_warning && value < *limit.low_warning)
        return Excess{"below its low warning", *limit.low_warning, false};
    return std::nullopt;
}

void dying_optics(const Node& node, Findings& out) {
    for (const auto& link : node.report.links) {
        if (!link.ethernet || !link.ethernet->module) continue;
        const auto& diagnostics = link.ethernet->module->diagnostics;
        for (std::size_t i = 0; i < diagnostics.size(); ++i) {
            const Diagnostic& one = diagnostics[i];
            // Without a link there is no light, and the laser may be off.
            const bool light = one.what == "rx_power" || one.what == "tx_power" || one.what == "bias";
            if (light && !link.ethernet->link.value_or(false)) continue;
            const auto found = excess(one);
            if (!found) continue;
            out.add(link.ifname, fmt::format("{}{} of the module is {:g}, {} of {:g}.", one.what,
                                             one.lane ? fmt::format(" of lane {}", one.lane) : "", *one.value,
                                             found->what, found->limit))
                .because(node.at(link, fmt::format("ethernet/module/diagnostics/{}/value", i)), one.value);
        }
    }
}

}  // namespace

std::vector<Rule> cable_rules() {
    return {
        {.id = "PHY-09",
         .severity = Severity::warning,
         .title = "The cable cannot do what the port can",
         .reads = "/links/*/ethernet/module, supported, ext_state, link",
         .condition = "an interface that is up, whose module is slower than the port; for information when "
                      "the link works all the same",
         .meaning = "A 40G cable in a 100G port links at 40G, or not at all.",
         .remedy = "A cable that is rated for the speed.",
         .sources = "SFF-8024; SFF-8636",
         .needs = {Part::links, Part::ethtool},
         .node = slow_cable},
        {.id = "PHY-10",
         .severity = Severity::warning,
         .title = "A module is outside its own limits",
         .reads = "/links/*/ethernet/module/diagnostics",
         .condition = "a value beyond the warning or alarm threshold that the module itself holds; light "
                      "counts only while there is a link",
         .meaning = "Optics that die show it here first.",
         .remedy = "Clean the fibre, then change the module; for heat: airflow.",
         .sources = "SFF-8472; SFF-8636; CMIS 5.2",
         .needs = {Part::links, Part::ethtool},
         .node = dying_optics},
    };
}

}  // namespace pve_rdma::doctor
