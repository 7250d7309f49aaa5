// The subnet manager: is there one, does it answer, are there too many.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/number.h"
#include "doctor/cluster.h"
#include "doctor/fabric_view.h"
#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"
#include "doctor/subnet.h"
#include "doctor/words.h"

namespace pve_rdma::doctor {

namespace {

constexpr Limit frozen_after{"time without activity", 60, "s",
                             "opensm sweeps every 10 s by default, and counts its work"};

constexpr Limit sweep_loop{"activity", 1000, "counts a second",
                           "a quiet fabric shows a handful; a loop over a duplicate GUID shows thousands"};

// What opensm does where its configuration says nothing.

bool waits_for_sm(const PortRef& ref) {
    return ref.port.phys_state == "LINK_UP" && ref.port.state == "INIT";
}

const PortRef* active_sibling(const Node& node, const PortRef& ref) {
    for (const auto& other : node.ports)
        if (&other.device == &ref.device && &other.port != &ref.port && is_infiniband(other) &&
            other.port.state == "ACTIVE")
            return &other;
    return nullptr;
}

void no_sm(const Node& node, Findings& out) {
    for (const auto& ref : node.ports) {
        if (!is_physical_infiniband(node, ref) || !waits_for_sm(ref) || active_sibling(node, ref)) continue;
        const std::uint32_t sm_lid = ref.port.sm_lid.value_or(0);
        out.add(ref.name(), sm_lid == 0
                                ? "The cable is fine (LinkUp), and no subnet manager has configured the port."
                                : fmt::format("The cable is fine (LinkUp); the subnet manager at LID {} was "
                                              "known, and has not configured the port.",
                                              sm_lid))
            .because(node.at(ref, "state"), ref.port.state)
            .because(node.at(ref, "phys_state"), ref.port.phys_state)
            .because(node.at(ref, "sm_lid"), ref.port.sm_lid);
    }
}

void second_fabric_without_sm(const Node& node, Findings& out) {
    for (const auto& ref : node.ports) {
        if (!is_physical_infiniband(node, ref) || !waits_for_sm(ref)) continue;
        const PortRef* const other = active_sibling(node, ref);
        if (!other) continue;
        out.add(ref.name(),
                fmt::format("{} is active, and this port of the same card waits for a subnet manager.",
                            other->name()))
            .because(node.at(ref, "state"), ref.port.state)
            .because(node.at(*other, "state"), other->port.state)
            .as(runs_sm(*other) ? Certainty::certain : Certainty::likely);
    }
}

void dead_sm(const Node& node, Findings& out) {
    for (const auto& ref : node.ports) {
        if (!is_physical_infiniband(node, ref) || ref.port.state != "ACTIVE" ||
            ref.port.sm_lid.value_or(0) == 0)
            continue;
        if (!ref.port.subnet || ref.port.subnet->sm) continue;
        const auto& unread = ref.port.subnet->unread;
        const auto silence = std::ranges::find(unread, "sm", &Unread::what);
        if (silence == unread.end()) continue;
        // A kernel whose opensm has gone answers for it: METHOD_ATTRIBUTE_NOT_SUPPORTED
        // (drivers/infiniband/core/ mad.c, generate_unmatched_resp). A node that is gone itself answers
        // nothing.
        const bool gone = silence->error == "unavailable";
        if (!gone && silence->error != "ETIMEDOUT") {
            out.unknown(fmt::format("subnet manager of {}: {}", ref.name(), silence->text));
            continue;
        }
        out.add(ref.name(),
                fmt::format("The port still names a subnet manager at LID {}, {}: links stay up, new "
                            "joins and every change fail.",
                            *ref.port.sm_lid,
                            gone ? "and none runs there any more" : "and it does not answer"))
            .because(node.at(ref, "sm_lid"), ref.port.sm_lid)
            .because(node.at(ref, fmt::format("subnet/unread/{}/error", silence - unread.begin())),
                     silence->error);
    }
}

void stuck_sm(const Node& node, Findings& out) {
    for (const auto& ref : node.ports) {
        if (!is_physical_infiniband(node, ref) || !ref.port.subnet || !ref.port.subnet->sm) continue;
        const SmInfo& sm = *ref.port.subnet->sm;
        if (sm.state == "NOTACTIVE" || sm.state == "DISCOVERING") {
            out.add(ref.name(),
                    fmt::format("The subnet manager at LID {} is {} and not master.", sm.lid, sm.state))
                .because(node.at(ref, "subnet/sm/state"), sm.state)
                .as(Severity::warning)
                .as(Certainty::likely);
            continue;
        }
        const Port* const before =
            node.earlier ? node.earlier->find_port(ref.device.name, ref.port.number) : nullptr;
        const auto seconds = node.seconds_since_earlier();
        if (!before || !seconds || !before->subnet || !before->subnet->sm ||
            before->subnet->sm->guid != sm.guid)
            continue;
        // It is a 32-bit counter.
        const std::uint32_t done = sm.activity - before->subnet->sm->activity;
        const double rate = done / *seconds;
        const bool frozen = done == 0 && *seconds > frozen_after.value;
        if (!frozen && rate < sweep_loop.value) continue;
        out.add(ref.name(),
                frozen ? fmt::format("The subnet manager at LID {} has done nothing for {:.0f} s.", sm.lid,
                                     *seconds)
                       : fmt::format(
                             "The subnet manager at LID {} sweeps without end: {:.0f} activities a second.",
                             sm.lid, rate))
            .because(node.at(ref, "subnet/sm/activity"), sm.activity)
            .as(Certainty::likely);
    }
}

void same_prefix(const Node& node, Findings& out) {
    const PortRef* first = nullptr;
    for (const auto& ref : node.ports) {
        if (!is_physical_infiniband(node, ref) || ref.port.state != "ACTIVE" ||
            ref.port.subnet_prefix != default_prefix)
            continue;
        if (!ref.port.subnet || !ref.port.subnet->sm) continue;
        if (!first) {
            first = &ref;
            continue;
        }
        const Guid one = first->port.subnet->sm->guid, other = ref.port.subnet->sm->guid;
        if (one == other) continue;
        out.add(ref.name(), fmt::format("{} and {} are in two fabrics (their subnet managers differ), and "
                                        "both have the default subnet prefix fe80::/64.",
                                        first->name(), ref.name()))
            .because(node.at(ref, "subnet_prefix"), ref.port.subnet_prefix)
            .because(node.at(*first, "subnet/sm/guid"), one)
            .because(node.at(ref, "subnet/sm/guid"), other);
        return;
    }
}

}  // namespace

std::vector<Rule> subnet_manager_rules() {
    return {
        {.id = "SM-01",
         .severity = Severity::error,
         .title = "No subnet manager",
         .reads = "/devices/*/ports/*/phys_state, state, sm_lid",
         .condition = "LinkUp and INIT, and no other port of the card is active",
         .meaning =
             "The cable is good. An InfiniBand subnet works only while a subnet manager configures it.",
         .remedy = "Start opensm on one node (apt install opensm), or switch on the manager in the switch; "
                   "not both.",
         .sources = "IBA vol. 1, 14; seen on a simulated fabric",
         .needs = {Part::devices},
         .applies = has_infiniband,
         .node = no_sm},
        {.id = "SM-02",
         .severity = Severity::error,
         .title = "The subnet manager is dead",
         .reads = "/devices/*/ports/*/sm_lid, subnet/sm, subnet/unread",
         .condition =
             "an active port with an sm_lid whose SMInfo is not answered, or refused since no manager runs "
             "there",
         .meaning = "The port keeps the LID of a manager that has gone, so sm_lid alone proves nothing. "
                    "Traffic goes on; joins, new nodes and changes fail until a manager is back.",
         .remedy = "Restart opensm where it ran, and add a second one with a lower priority.",
         .sources = "seen on a simulated fabric: sysfs showed the LID long after the manager had gone",
         .needs = {Part::devices, Part::subnet},
         .applies = has_infiniband,
         .node = dead_sm},
        {.id = "SM-07",
         .severity = Severity::error,
         .title = "The subnet manager is stuck",
         .reads = "/devices/*/ports/*/subnet/sm/state, activity, of two reports",
         .condition =
             "not master (a warning), or its activity count stands still or runs away between two reports",
         .meaning = "It hangs, or sweeps in a loop; a duplicate GUID (GUID-01) is the usual cause of a loop.",
         .remedy = "Read its log (/var/log/opensm.log); restart it.",
         .sources = "seen on a simulated fabric with a duplicate GUID: 3,000 activities a second",
         .needs = {Part::devices, Part::subnet},
         .thresholds = {frozen_after, sweep_loop},
         .applies = has_infiniband,
         .node = stuck_sm},
        {.id = "SM-09",
         .severity = Severity::error,
         .title = "The second port has no subnet manager",
         .reads = "/devices/*/ports/*/state",
         .condition = "one port of a card ACTIVE, another LinkUp and INIT",
         .meaning =
             "Each fabric needs its own manager, and opensm serves one port only: the first, by default.",
         .remedy = "An opensm for the other port: PORTS=ALL in /etc/default/opensm, or a second service with "
                   "-g GUID.",
         .sources = "opensm(8), Debian's opensm.service",
         .needs = {Part::devices},
         .applies = has_infiniband,
         .node = second_fabric_without_sm},
        {.id = "SM-12",
         .severity = Severity::warning,
         .title = "Two fabrics with one subnet prefix",
         .reads = "/devices/*/ports/*/subnet_prefix, subnet/sm/guid",
         .condition = "two active ports with different subnet managers and the default prefix",
         .meaning = "Programs take the ports for one subnet and try to connect between the fabrics.",
         .remedy = "Another subnet_prefix in the opensm.conf of one fabric.",
         .sources = "openucx/ucx issue 605",
         .needs = {Part::devices, Part::subnet},
         .applies = has_infiniband,
         .node = same_prefix},
    };
}

}  // namespace pve_rdma::doctor
