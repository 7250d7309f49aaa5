// Ethernet links: agreement with the other end, pauses, drops, VLAN filters.
#include <algorithm>

#include <fmt/format.h>

#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"
#include "doctor/words.h"

namespace pve_rdma::doctor {

namespace {

constexpr Limit pauses{"pause frames", 10, "a second",
                       "a few are harmless; a stream of them throttles the link"};
constexpr Limit drops{"dropped packets", 1, "a second", "TCP halves its window for each"};
constexpr Limit mlx5_vlans{"VLANs in the filter of mlx5", 512, "VLANs",
                           "1 << log_max_vlan_list of common firmware"};
constexpr Limit mlx4_vlans{"VLANs in the filter of mlx4", 128, "VLANs", "MLX4_MAX_VLAN_NUM"};

bool is_fast(const Ethernet& ethernet, std::uint32_t least) {
    return std::ranges::any_of(ethernet.supported, [&](const std::string& mode) {
        return parse_number<std::uint32_t>(mode.substr(0, mode.find("base"))).value_or(0) >= least;
    });
}

bool lacks_link(const Link& link) {
    return is_up(link) && link.ethernet && link.ethernet->link == false;
}

constexpr std::string_view fec_mismatch = "FEC mismatch during override";

// Names as `ethtool` prints ETHTOOL_LINK_EXT_STATE_AUTONEG and its like.
bool is_negotiation(std::string_view state) {
    return state == "Autoneg" || state == "Link training failure";
}

void no_agreement(const Node& node, Findings& out) {
    for (const auto& link : node.report.links) {
        if (!lacks_link(link) || !link.ethernet->autoneg) continue;
        const Ethernet& ethernet = *link.ethernet;
        if (ethernet.ext_substate == fec_mismatch) continue;  // ETH-02's
        const bool said = ethernet.ext_state && is_negotiation(*ethernet.ext_state);
        // Without the driver's word: a cable is in, the port does 40G or more, and there is no link.
        if (!said && (!ethernet.module || !is_fast(ethernet, 40'000))) continue;
        if (!said && ethernet.ext_state) continue;  // it names another reason
        auto& finding =
            out.add(link.ifname,
                    said ? fmt::format("The two ends do not agree: {}{}.", *ethernet.ext_state,
                                       ethernet.ext_substate ? ", " + *ethernet.ext_substate : "")
                         : fmt::format("A cable is plugged in and there is no link; autonegotiation is {} "
                                       "here. If it is not the same at the other end, no link comes up.",
                                       *ethernet.autoneg ? "on" : "off"))
                .because(node.at(link, "ethernet/autoneg"), ethernet.autoneg)
                .because(node.at(link, "ethernet/link"), ethernet.link)
                .as(said ? Certainty::likely : Certainty::possible);
        if (!said) finding.as(Severity::warning);
        // Nobody there at all is no disagreement: the other end is off, or nothing is plugged in.
        if (ethernet.ext_substate && ethernet.ext_substate->starts_with("No partner"))
            finding.as(Severity::info).as(Certainty::possible);
    }
}

void no_error_correction(const Node& node, Findings& out) {
    for (const auto& link : node.report.links) {
        if (!lacks_link(link)) continue;
        if (link.ethernet->ext_substate == fec_mismatch) {
            out.add(link.ifname, "The driver says that the two ends use different forward error correction.")
                .because(node.at(link, "ethernet/ext_substate"), link.ethernet->ext_substate);
            continue;
        }
        if (!link.ethernet->fec || !link.ethernet->module) continue;
        const Fec& fec = *link.ethernet->fec;
        if (!is_fast(*link.ethernet, 25'000) || fec.active) continue;
        const bool chosen = fec.auto_.value_or(false);
        const bool off = std::ranges::find(fec.modes, "Off") != fec.modes.end();
        if (!chosen && !off) continue;
        out.add(link.ifname, fmt::format("No link, a module is in, and forward error correction is {} and "
                                         "none is in use: 25G and 100G optics mostly need RS.",
                                         chosen ? "automatic" : "off"))
            .because(node.at(link, "ethernet/link"), link.ethernet->link)
            .because_absent(node.at(link, "ethernet/fec/active"))
            .as(Severity::warning)
            .as(Certainty::possible)
            .do_this(fmt::format("Try: ethtool --set-fec {} encoding rs, the same at the other end; keep it "
                                 "only when the link comes up.",
                                 link.ifname));
    }
}

// The sum of a link's counters whose names hold all of the words, and the first of those names.
struct Sum {
    std::uint64_t value = 0;
    std::string name;
};
template <class Wanted>
Sum sum(const Ethernet& ethernet, Wanted&& wanted) {
    Sum sum;
    for (const auto& [name, value] : ethernet.statistics)
        if (wanted(name)) {
            sum.value += value;
            if (value && sum.name.empty()) sum.name = name;
        }
    return sum;
}

struct Growth {
    std::uint64_t by = 0;
    double rate = 0;
    std::string name;
    std::uint64_t now = 0;
};
template <class Wanted>
std::optional<Growth> growth(const Node& node, const Link& link, Wanted&& wanted) {
    const auto seconds = node.seconds_since_earlier();
    const Link* const before = node.earlier->find_link(link.ifname);
    if (!seconds || !before || !before->ethernet || !link.ethernet) return std::nullopt;
    const Sum now = sum(*link.ethernet, wanted), then = sum(*before->ethernet, wanted);
    if (now.value <= then.value) return std::nullopt;
    const std::uint64_t by = now.value - then.value;
    return Growth{by, static_cast<double>(by) / *seconds, now.name, link.ethernet->statistics.at(now.name)};
}

bool counts_pauses(std::string_view name) {
    // mlx5: rx_pause_ctrl_phy; mlx4: rx_pause. Not their durations, nor what a priority counts for itself.
    return name.contains("pause") && !name.contains("duration") && !name.contains("transition") &&
           !name.contains("prio") && !name.contains("storm");
}

bool counts_drops(std::string_view name) {
    return name == "rx_out_of_buffer" || name == "rx_missed_errors" || name == "rx_fifo_errors" ||
           name == "rx_discards_phy" || name == "rx_no_buffer_count" || name == "rx_dropped" ||
           name == "rx_over_errors";
}

void throttled(const Node& node, Findings& out) {
    for (const auto& link : node.report.links) {
        const auto grown = growth(node, link, counts_pauses);
        if (!grown || grown->rate < pauses.value) continue;
        const bool received = grown->name.starts_with("rx");
        out.add(link.ifname,
                fmt::format("{} pause frames since the earlier report ({:.0f} a second): {}.", grown->by,
                            grown->rate,
                            received ? "the other end asks to wait" : "this node asks the other to wait"))
            .because(node.at(link, "ethernet/statistics/" + grown->name), grown->now);
    }
}

void slow_receiver(const Node& node, Findings& out) {
    for (const auto& link : node.report.links) {
        const auto grown = growth(node, link, counts_drops);
        if (!grown || grown->rate < drops.value) continue;
        auto& finding =
            out.add(link.ifname,
                    fmt::format(
                        "{} packets came in and found no room since the earlier report ({:.0f} a second).",
                        grown->by, grown->rate))
                .because(node.at(link, "ethernet/statistics/" + grown->name), grown->now);
        const auto& rings = link.ethernet->rings;
        if (rings && rings->rx && rings->rx_max && *rings->rx < *rings->rx_max) {
            finding.message += fmt::format(" Its ring holds {} of {} possible.", *rings->rx, *rings->rx_max);
            finding.because(node.at(link, "ethernet/rings/rx"), rings->rx)
                .do_this(fmt::format("ethtool -G {} rx {}; then spread interrupts over processors (ethtool "
                                     "-L), and boot with iommu=pt.",
                                     link.ifname, *rings->rx_max));
        }
    }
}

std::uint64_t vlans_of(const Link& link) {
    std::uint64_t count = 0;
    for (const auto& range : link.bridge_vlans)
        count += range.vlanEnd && *range.vlanEnd >= range.vlan ? *range.vlanEnd - range.vlan + 1 : 1;
    return count;
}

void too_many_vlans(const Node& node, Findings& out) {
    for (const auto& link : node.report.links) {
        if (!link.master || link.bridge_vlans.empty() || !link.ethernet) continue;
        const std::string driver = node.driver_of(link);
        const bool mlx5 = driver.starts_with("mlx5"), mlx4 = driver.starts_with("mlx4");
        if (!mlx5 && !mlx4) continue;
        const auto filter = link.ethernet->features.find("rx-vlan-filter");
        if (filter == link.ethernet->features.end() || !filter->second.starts_with("on")) continue;
        const auto most = static_cast<std::uint64_t>((mlx5 ? mlx5_vlans : mlx4_vlans).value);
        const std::uint64_t asked = vlans_of(link);
        if (asked <= most) continue;
        out.add(link.ifname,
                fmt::format("{} asks for {} VLANs on {}, the card's filter holds {}: up to {} are dropped.",
                            *link.master, asked, link.ifname, most, asked - most))
            .because(node.at(link, "ethernet/features/rx-vlan-filter"), filter->second)
            .because(node.at(link, "bridge_vlans/0/vlan"), link.bridge_vlans.front().vlan)
            .as(Certainty::likely);
    }
}

void light_without_carrier(const Node& node, Findings& out) {
    for (const auto& ref : node.ports) {
        if (!is_ethernet(ref) || ref.port.phys_state != "LINK_UP") continue;
        for (const Link* link : node.netdevs_of(ref)) {
            if (!is_up(*link) || link->carrier.value_or(true) || link->vlan || link->bond) continue;
            out.add(link->ifname, fmt::format("{} says LINK_UP, the interface has no carrier: one end sees a "
                                              "link and the other may not.",
                                              ref.name()))
                .because(node.at(ref, "phys_state"), ref.port.phys_state)
                .because(node.at(*link, "carrier"), link->carrier)
                .as(Certainty::likely);
        }
    }
}

}  // namespace

std::vector<Rule> ethernet_rules() {
    return {
        {.id = "ETH-01",
         .severity = Severity::error,
         .title = "The two ends of a link do not agree",
         .reads = "/links/*/ethernet/autoneg, link, ext_state, module, supported",
         .condition =
             "an interface that is up, without link, where the driver names negotiation as the reason; "
             "without its word, a port of 40G or more with a module in it: a warning, possible",
         .meaning = "One end has a fixed speed and the other negotiates. On 40G ConnectX-3 that gives no "
                    "link at all.",
         .remedy = "The same on both ends: autonegotiation on, or off with one speed (ethtool -s NAME speed "
                   "40000 autoneg off).",
         .sources = "ethtool(8), linux/ethtool.h ext_state; sonic-net/sonic-buildimage issue 6476",
         .needs = {Part::links, Part::ethtool},
         .node = no_agreement},
        {.id = "ETH-02",
         .severity = Severity::error,
         .title = "Forward error correction differs",
         .reads = "/links/*/ethernet/fec, link, module, supported",
         .condition = "the driver names the mismatch; without its word, a port of 25G or more that is up, "
                      "without link, with a module, and no correction in use: a warning, possible",
         .meaning = "Ends with different error correction see no link, or errors.",
         .remedy = "RS on both ends for 100G and 25G optics, BASER or none for 40G.",
         .sources = "mdlayher/ethtool pull request 10; IEEE 802.3 clauses 74, 91, 108",
         .needs = {Part::links, Part::ethtool},
         .node = no_error_correction},
        {.id = "ETH-03",
         .severity = Severity::warning,
         .title = "Pause frames throttle a link",
         .reads = "/links/*/ethernet/statistics, of two reports",
         .condition = "more pause frames a second than the threshold",
         .meaning = "A receiver is too slow, and with 802.3x pauses everybody on the link waits for it.",
         .remedy = "Find the slow receiver (ETH-04); larger rings, more queues; for RoCE priority flow "
                   "control instead.",
         .sources = "IEEE 802.3 annex 31B",
         .needs = {Part::links, Part::ethtool, Part::earlier},
         .thresholds = {pauses},
         .node = throttled},
        {.id = "ETH-04",
         .severity = Severity::warning,
         .title = "This node receives too slowly",
         .reads = "/links/*/ethernet/statistics, rings, of two reports",
         .condition = "more drops for want of buffers a second than the threshold",
         .meaning = "Packets arrive faster than processors take them: rings, interrupts, or the IOMMU.",
         .remedy = "Larger rings (ethtool -G), more queues (ethtool -L), interrupts spread over processors "
                   "near the card, iommu=pt.",
         .sources = "mlx5 counters documentation; LibreQoE/LibreQoS issue 417",
         .needs = {Part::links, Part::ethtool, Part::earlier},
         .thresholds = {drops},
         .node = slow_receiver},
        {.id = "ETH-05",
         .severity = Severity::error,
         .title = "More VLANs than the card's filter holds",
         .reads = "/links/*/bridge_vlans, master, ethernet/features; the driver",
         .condition =
             "a port of a VLAN-aware bridge on mlx5 or mlx4 with the filter on, and more VLANs than it holds",
         .meaning = "The driver drops the rest: guests in those VLANs receive nothing.",
         .remedy = "List the VLANs that are used (bridge-vids 10 20 30), or: offload-rx-vlan-filter off for "
                   "the port.",
         .sources = "mlx5 en_fs.c; mlx4 device.h",
         .needs = {Part::links, Part::ethtool},
         .thresholds = {mlx5_vlans, mlx4_vlans},
         .node = too_many_vlans},
        {.id = "ETH-06",
         .severity = Severity::warning,
         .title = "Light, but no carrier",
         .reads = "/devices/*/ports/*/phys_state; /links/*/carrier",
         .condition = "an Ethernet port LINK_UP whose interface is up and has no carrier",
         .meaning = "That the receiver is lit proves nothing: the other end may see no link (error "
                    "correction, training).",
         .remedy = "Ask the other end; make speed, error correction and autonegotiation the same.",
         .sources = "sonic-net/sonic-buildimage issue 3578",
         .needs = {Part::devices, Part::links},
         .applies = has_roce,
         .node = light_without_carrier},
    };
}

}  // namespace pve_rdma::doctor
