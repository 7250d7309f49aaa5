// The wire: is there a link, with all its lanes and its speed, and does it stay.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "doctor/fabric_view.h"
#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"
#include "doctor/subnet.h"
#include "doctor/words.h"

namespace pve_rdma::doctor {

namespace {

constexpr Limit training_time{"time in training", 10, "s",
                              "a link trains in well under a second, at most a few with long cables"};

// Somebody wants this port: an interface on it is up.
bool is_wanted(const Node& node, const PortRef& ref) {
    return std::ranges::any_of(node.netdevs_of(ref), [](const Link* link) { return is_up(*link); });
}

void no_signal(const Node& node, Findings& out) {
    for (const auto& ref : node.ports) {
        if (!is_physical_infiniband(node, ref)) continue;
        if (ref.port.state != "DOWN" || ref.port.phys_state != "POLLING") continue;
        const bool wanted = is_wanted(node, ref);
        out.add(ref.name(),
                wanted ? "No signal: the port polls for a peer and finds none, and an interface on it is up."
                       : "Nothing is plugged in, or the other end is off: the port polls for a peer.")
            .because(node.at(ref, "phys_state"), ref.port.phys_state)
            .because(node.at(ref, "state"), ref.port.state)
            .as(wanted ? Severity::error : Severity::info);
    }
}

void disabled(const Node& node, Findings& out) {
    for (const auto& ref : node.ports)
        if (is_physical_infiniband(node, ref) && ref.port.phys_state == "DISABLED")
            out.add(ref.name(), "The port is switched off, here or by the subnet manager.")
                .because(node.at(ref, "phys_state"), ref.port.phys_state);
}

bool trains(const std::optional<std::string>& phys_state) {
    return phys_state == "PORT_CONFIGURATION_TRAINING" || phys_state == "LINK_ERROR_RECOVER" ||
           phys_state == "LINK_ERROR_RECOVERY";
}

void training(const Node& node, Findings& out) {
    for (const auto& ref : node.ports) {
        if (!is_physical_infiniband(node, ref) || !trains(ref.port.phys_state)) continue;
        const Port* const before =
            node.earlier ? node.earlier->find_port(ref.device.name, ref.port.number) : nullptr;
        const auto seconds = node.seconds_since_earlier();
        const bool long_since =
            before && trains(before->phys_state) && seconds && *seconds > training_time.value;
        auto& finding =
            out.add(ref.name(),
                    long_since ? fmt::format("The link has been training for {:.0f} s and does not come up.",
                                             *seconds)
                               : "The link is training; if that lasts, the two ends do not agree.")
                .because(node.at(ref, "phys_state"), ref.port.phys_state);
        if (!long_since) finding.as(Severity::warning).as(Certainty::possible);
    }
}

// Without a walk the peer is not known. One lane is always a fault, two are half a cable (HDR100).
void lost_lanes_here(const Node& node, Findings& out) {
    for (const auto& ref : node.ports) {
        if (!is_physical_infiniband(node, ref) || ref.port.state == "DOWN" || ref.port.active_width != "1X")
            continue;
        if (is_walked(node, ref)) continue;
        const auto* const info =
            ref.port.subnet && ref.port.subnet->port_info ? &*ref.port.subnet->port_info : nullptr;
        if (info && std::ranges::none_of(info->widths_supported,
                                         [](const std::string& width) { return lanes(width) >= 4; }))
            continue;
        out.add(ref.name(),
                fmt::format("The link runs on one lane of four{}: a quarter of what it should carry.",
                            ref.port.rate ? ", " + *ref.port.rate : ""))
            .because(node.at(ref, "active_width"), ref.port.active_width)
            .as(Certainty::likely);
    }
}

void lost_lanes(const FabricView& fabric, Findings& out) {
    for (const auto& link : fabric.walk.links) {
        const WalkPort *const a = fabric.port(link.from), *const b = fabric.port(link.to);
        if (!a || !b) continue;
        // What both have, not only what is enabled: a link that somebody limited is slow all the same. Ports
        // that could 12X are wired for 4X.
        const auto has = [](const WalkPort& port) { return std::min(lanes(port.supported_width), 4u); };
        const auto both =
            std::max(std::min(has(*a), has(*b)), std::min(lanes(a->max_width), lanes(b->max_width)));
        const auto active = lanes(a->width);
        if (active == 0 || active >= both) continue;
        const bool limited = lanes(a->max_width) == active || lanes(b->max_width) == active;
        auto& finding =
            out.add(fabric.port_name(link.from),
                    fmt::format("The link between {} and {} runs on {} of {} lanes ({} {}){}.",
                                fabric.port_name(link.from), fabric.port_name(link.to), active, both,
                                a->width, a->speed, limited ? ", and more are not enabled" : ""))
                .because(fabric.at(link.from, "width"), a->width)
                .because(fabric.at(link.from, "supported_width"), a->supported_width)
                .because(fabric.at(link.to, "supported_width"), b->supported_width);
        if (limited)
            finding.do_this(
                "Enable all widths at both ends (ibportstate LID PORT width 255), then disable and enable "
                "the port.");
    }
}

void lost_speed(const FabricView& fabric, Findings& out) {
    for (const auto& link : fabric.walk.links) {
        const WalkPort *const a = fabric.port(link.from), *const b = fabric.port(link.to);
        if (!a || !b) continue;
        const bool a_is_slower = speed_order(a->max_speed) < speed_order(b->max_speed);
        const std::string& both = a_is_slower ? a->max_speed : b->max_speed;
        if (speed_order(a->speed) == 0 || speed_order(a->speed) >= speed_order(both)) continue;
        out.add(fabric.port_name(link.from),
                fmt::format("The link between {} and {} runs at {}, both ends may {}.",
                            fabric.port_name(link.from), fabric.port_name(link.to), a->speed, both))
            .because(fabric.at(link.from, "speed"), a->speed)
            .because(fabric.at(link.from, "max_speed"), a->max_speed)
            .because(fabric.at(link.to, "max_speed"), b->max_speed);
    }
}

// What the card could do, where the other end is not known.
void below_the_card(const Node& node, Findings& out) {
    for (const auto& ref : node.ports) {
        if (!is_physical_infiniband(node, ref) || ref.port.state != "ACTIVE" || is_walked(node, ref))
            continue;
        if (!ref.port.subnet || !ref.port.subnet->port_info || !ref.port.active_speed) continue;
        const auto& can = ref.port.subnet->port_info->speeds_supported;
        if (can.empty()) continue;
        const auto& best =
            *std::ranges::max_element(can, {}, [](const auto& word) { return speed_order(word); });
        if (speed_order(*ref.port.active_speed) >= speed_order(best) ||
            speed_order(*ref.port.active_speed) == 0)
            continue;
        out.add(ref.name(),
                fmt::format(
                    "The link runs at {} ({}); the card can {}. The cable or the other end sets the limit.",
                    *ref.port.active_speed, ref.port.rate.value_or("rate unknown"), best))
            .because(node.at(ref, "active_speed"), ref.port.active_speed)
            .as(Severity::info)
            .as(Certainty::possible)
            .do_this("If both ends should do more: a cable that is rated for it.");
    }
}

}  // namespace

std::vector<Rule> physical_rules() {
    return {
        {.id = "PHY-01",
         .severity = Severity::error,
         .title = "No signal on an InfiniBand port",
         .reads = "/devices/*/ports/*/state, phys_state; /links flags",
         .condition = "DOWN and POLLING; an error when an interface on the port is up, else for information",
         .meaning =
             "Nothing answers at the other end: no cable, the peer is off, or it speaks another protocol.",
         .remedy = "Check cable and peer; a VPI port at the other end may be set to Ethernet (PROTO-01).",
         .sources = "IBA vol. 1, 14.2.5.6; port states at advancedclustering.com",
         .needs = {Part::devices},
         .applies = has_infiniband,
         .node = no_signal},
        {.id = "PHY-02",
         .severity = Severity::error,
         .title = "An InfiniBand port is switched off",
         .reads = "/devices/*/ports/*/phys_state",
         .condition = "the physical state is DISABLED, and it is no virtual function",
         .meaning = "Somebody disabled the port; it does not come back by itself.",
         .remedy = "Enable it from the other end (ibportstate LID PORT enable), or reload the driver.",
         .sources = "IBA vol. 1, 14.2.5.6",
         .needs = {Part::devices},
         .applies = has_infiniband,
         .node = disabled},
        {.id = "PHY-03",
         .severity = Severity::error,
         .title = "A link does not get through training",
         .reads = "/devices/*/ports/*/phys_state, of two reports",
         .condition = "training or error recovery in both reports; of one report only: a warning, possible",
         .meaning = "The signal is too bad for the speed that the ends want.",
         .remedy = "A shorter or certified cable, the other port, or a lower speed set at both ends.",
         .sources = "IBA vol. 1, 5.6 and 14.2.5.6",
         .needs = {Part::devices},
         .thresholds = {training_time},
         .applies = has_infiniband,
         .node = training},
        {.id = "PHY-04",
         .severity = Severity::error,
         .title = "A link has lost lanes",
         .reads = "/fabric/*/links; without a walk /devices/*/ports/*/active_width",
         .condition = "fewer lanes than both ends may use; without a walk: 1X on a port that has four",
         .meaning = "A 4X link on one lane carries a quarter; nothing else complains about it.",
         .remedy = "Push the plug in until it clicks, then another cable; then disable and enable the port, "
                   "since the width is agreed when the link comes up.",
         .sources = "IBA vol. 1, 5.6; seen on a simulated fabric",
         .needs = {Part::devices},
         .applies = has_infiniband,
         .node = lost_lanes_here,
         .fabric = lost_lanes},
        {.id = "PHY-05",
         .severity = Severity::warning,
         .title = "A link runs below its speed",
         .reads = "/fabric/*/links; without a walk /devices/*/ports/*/subnet/port_info",
         .condition = "slower than what both ends may; of a port whose peer is not known: for information",
         .meaning = "The cable is not rated for the speed, or one end was limited.",
         .remedy = "A cable that is rated for the speed (FDR needs one: with a QDR cable ConnectX-3 falls to "
                   "FDR10 or QDR); then enable all speeds at both ends.",
         .sources = "IBA vol. 1, 14.2.5.6",
         .needs = {Part::devices, Part::subnet},
         .applies = has_infiniband,
         .node = below_the_card,
         .fabric = lost_speed},
    };
}

}  // namespace pve_rdma::doctor
