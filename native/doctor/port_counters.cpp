// The error counters of InfiniBand ports, and how they grow between two reports.
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

constexpr Limit symbol_errors{"symbol errors", 10, "an hour",
                              "a link within the specified bit error rate of 1e-12 shows about ten an hour "
                              "at most; good ones show none for weeks"};

constexpr Limit downs{"times that the link went down", 2, "between two reports",
                      "once is a peer that was rebooted or a cable that was moved"};

struct Counter {
    std::string path;
    std::uint64_t value = 0;
};

// By sysfs, or by the MAD that asked the port.
std::optional<Counter> counter(const Node& node, const PortRef& ref, const std::string& name,
                               std::uint32_t PortCounters::* member) {
    if (const auto found = ref.port.counters.find(name); found != ref.port.counters.end())
        return Counter{node.at(ref, "counters/" + name), found->second};
    if (ref.port.subnet && ref.port.subnet->counters)
        return Counter{node.at(ref, "subnet/counters/" + name), (*ref.port.subnet->counters).*member};
    return std::nullopt;
}

// nullopt: not known of both times, or cleared in between.
struct Growth {
    Counter now;
    std::uint64_t by = 0;
};
std::optional<Growth> growth(const Node& node, const PortRef& ref, const std::string& name,
                             std::uint32_t PortCounters::* member) {
    const Port* const port = node.earlier->find_port(ref.device.name, ref.port.number);
    const RdmaDevice* const device = node.earlier->find_device(ref.device.name);
    const auto now = counter(node, ref, name, member);
    if (!port || !now) return std::nullopt;
    const auto before = counter(*node.earlier, {*device, *port}, name, member);
    if (!before || now->value < before->value) return std::nullopt;
    return Growth{*now, now->value - before->value};
}

void symbol_errors_grow(const Node& node, Findings& out) {
    const auto seconds = node.seconds_since_earlier();
    if (!seconds) return;
    for (const auto& ref : node.ports) {
        if (!is_physical_infiniband(node, ref)) continue;
        const auto grown = growth(node, ref, "symbol_error", &PortCounters::symbol_error);
        if (!grown) continue;
        const double per_hour = static_cast<double>(grown->by) * 3600 / *seconds;
        // In a short time few errors mean nothing.
        if (grown->by < 3 || per_hour <= symbol_errors.value) continue;
        out.add(ref.name(), fmt::format("{} symbol errors in {:.0f} s, {:.0f} an hour: the signal is bad.",
                                        grown->by, *seconds, std::ceil(per_hour)))
            .because(grown->now.path, grown->now.value);
    }
}

void link_flaps(const Node& node, Findings& out) {
    for (const auto& ref : node.ports) {
        if (!is_physical_infiniband(node, ref)) continue;
        const auto downed = growth(node, ref, "link_downed", &PortCounters::link_downed);
        const auto recovered = growth(node, ref, "link_error_recovery", &PortCounters::link_error_recovery);
        if (downed && downed->by > 0) {
            const bool once = static_cast<double>(downed->by) < downs.value;
            auto& finding =
                out.add(ref.name(), once
                                        ? std::string("The link went down once since the earlier report.")
                                        : fmt::format("The link went down {} times since the earlier report.",
                                                      downed->by))
                    .because(downed->now.path, downed->now.value);
            if (once) finding.as(Severity::info);
        }
        if (recovered && recovered->by > 0)
            out.add(ref.name(),
                    fmt::format("The link had to recover from errors {} times since the earlier report.",
                                recovered->by))
                .because(recovered->now.path, recovered->now.value);
    }
}

void counters_at_their_end(const Node& node, Findings& out) {
    struct Maximum {
        const char* name;
        std::uint32_t PortCounters::* member;
        std::uint64_t maximum;
    };
    constexpr Maximum maxima[] = {{"symbol_error", &PortCounters::symbol_error, 0xffff},
                                  {"port_rcv_errors", &PortCounters::port_rcv_errors, 0xffff},
                                  {"port_xmit_discards", &PortCounters::port_xmit_discards, 0xffff},
                                  {"link_error_recovery", &PortCounters::link_error_recovery, 0xff},
                                  {"link_downed", &PortCounters::link_downed, 0xff}};
    for (const auto& ref : node.ports) {
        if (!is_infiniband(ref)) continue;
        for (const auto& [name, member, maximum] : maxima) {
            const auto found = counter(node, ref, name, member);
            if (!found || found->value != maximum) continue;
            out.add(ref.name(),
                    fmt::format("{} stands at {}, its maximum: it counts no further.", name, maximum))
                .because(found->path, found->value);
        }
    }
}

}  // namespace

std::vector<Rule> port_counter_rules() {
    return {
        {.id = "PHY-06",
         .severity = Severity::warning,
         .title = "Symbol errors",
         .reads = "/devices/*/ports/*/counters/symbol_error, of two reports",
         .condition = "more an hour than the threshold, and at least three",
         .meaning = "The link is dirty, bent, or badly seated; packets are lost and sent again.",
         .remedy = "Clean or change the cable; compare with the counters of the other end.",
         .sources = "IBA vol. 1, 16.1.3.5; cable makers' notes",
         .needs = {Part::devices, Part::earlier},
         .thresholds = {symbol_errors},
         .applies = has_infiniband,
         .node = symbol_errors_grow},
        {.id = "PHY-07",
         .severity = Severity::error,
         .title = "A link flaps",
         .reads = "/devices/*/ports/*/counters/link_downed, link_error_recovery, of two reports",
         .condition =
             "link_error_recovery grew, or link_downed grew by the threshold; once is for information",
         .meaning = "Connections stall or break for seconds each time.",
         .remedy = "Cable, then the port at the other end, then the card.",
         .sources = "IBA vol. 1, 16.1.3.5",
         .needs = {Part::devices, Part::earlier},
         .thresholds = {downs},
         .applies = has_infiniband,
         .node = link_flaps},
        {.id = "PHY-08",
         .severity = Severity::info,
         .title = "A counter stands at its end",
         .reads = "/devices/*/ports/*/counters",
         .condition = "a 16-bit counter at 65535 or an 8-bit counter at 255",
         .meaning =
             "PortCounters do not wrap: what happens from here on is not counted, so growth means nothing.",
         .remedy = "Clear the counters of the port (perfquery -R).",
         .sources = "IBA vol. 1, 16.1.3.5",
         .needs = {Part::devices},
         .applies = has_infiniband,
         .node = counters_at_their_end},
    };
}

}  // namespace pve_rdma::doctor
