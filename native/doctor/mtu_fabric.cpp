// The MTU of an InfiniBand fabric: what its links carry, against what IPoIB's group asks.
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "doctor/fabric_view.h"
#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"
#include "doctor/subnet.h"

namespace pve_rdma::doctor {

namespace {

constexpr std::uint32_t ipoib_header = 4;
constexpr std::size_t ports_named = 8;  // in one message; the rest is counted

bool is_set(const WalkPort& port) {  // NeighborMTU is the subnet manager's, once the link is armed
    return port.state == "ARMED" || port.state == "ACTIVE";
}

std::string list(const std::vector<std::string>& names) {
    if (names.size() <= ports_named) return fmt::format("{}", fmt::join(names, ", "));
    return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + ports_named, ", "),
                       names.size() - ports_named);
}

// One finding for each switch: its ports to hosts that cannot join the group.
void group_above_links(const FabricView& fabric, Findings& out) {
    const auto group = fabric.ipoib_group();
    if (!group) {
        out.unknown("MTU of the IPoIB group: the subnet manager was not asked, or knows no such group");
        return;
    }
    struct Refused {
        std::map<LinkEnd, std::string> ports;  // of the switch, with the host behind it
        std::uint32_t mtu = 0;
    };
    std::map<std::uint32_t, Refused> by_switch;
    for (const auto& link : fabric.walk.links) {
        LinkEnd host = link.from, other = link.to;
        if (fabric.walk.nodes[host.node].type != "CA") std::swap(host, other);
        if (fabric.walk.nodes[host.node].type != "CA") continue;
        const WalkPort* const port = fabric.port(other);
        if (!port || !is_set(*port) || port->neighbor_mtu == 0 || port->neighbor_mtu >= group->mtu) continue;
        Refused& refused = by_switch[other.node];
        refused.ports.emplace(other, fmt::format("port {} ({})", other.port, fabric.port_name(host)));
        refused.mtu = port->neighbor_mtu;
    }
    for (const auto& [index, refused] : by_switch) {
        const LinkEnd first = refused.ports.begin()->first;
        std::vector<std::string> names;
        for (const auto& [end, name] : refused.ports)
            names.push_back(name);
        out.add(
               fabric.port_name(first),
               fmt::format("IPoIB's group has MTU {}, and links of {} carry {}: hosts behind {} cannot join.",
                           group->mtu, fabric.node_name(fabric.walk.nodes[index]), refused.mtu, list(names)))
            .because(group->path, group->mtu)
            .because(fabric.at(first, "neighbor_mtu"), fabric.port(first)->neighbor_mtu);
    }
}

// The same of this node's own ports, where nobody has walked.
void group_above_own_link(const Node& node, Findings& out) {
    for (const auto& ref : node.ports) {
        if (!is_infiniband(ref) || !ref.port.subnet || !ref.port.subnet->port_info ||
            ref.port.state != "ACTIVE" || is_walked(node, ref))
            continue;
        const std::uint32_t link = ref.port.subnet->port_info->neighbor_mtu;
        const auto& groups = ref.port.subnet->ipoib_groups;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            if (!groups[i].group || link == 0 || groups[i].group->mtu <= link) continue;
            out.add(ref.name(), fmt::format("IPoIB's group of partition {} has MTU {}, the link carries {}: "
                                            "the port cannot join, and the interface gets no carrier.",
                                            groups[i].pkey.text(), groups[i].group->mtu, link))
                .because(node.at(ref, fmt::format("subnet/ipoib_groups/{}/group/mtu", i)),
                         groups[i].group->mtu)
                .because(node.at(ref, "subnet/port_info/neighbor_mtu"), link);
        }
    }
}

// The best that any host can, against what each switch can.
void switch_below_hosts(const FabricView& fabric, Findings& out) {
    const auto& walk = fabric.walk;
    std::uint32_t hosts = 0;
    LinkEnd best;
    for (std::uint32_t i = 0; i < walk.nodes.size(); ++i)
        for (const auto& port : walk.nodes[i].ports)
            if (walk.nodes[i].type == "CA" && port.mtu_cap > hosts) {
                hosts = port.mtu_cap;
                best = {i, port.number};
            }
    for (std::uint32_t i = 0; i < walk.nodes.size(); ++i) {
        std::vector<std::string> ports;
        std::uint32_t least = hosts;
        LinkEnd first;
        for (const auto& port : walk.nodes[i].ports) {
            // Port 0 is the switch's own; a port without a link limits nobody.
            if (walk.nodes[i].type == "SWITCH" && (port.number == 0 || port.phys_state != "LINK_UP"))
                continue;
            if (port.mtu_cap == 0 || port.mtu_cap >= hosts) continue;
            if (ports.empty()) first = {i, port.number};
            ports.push_back(fmt::format("{}", port.number));
            least = std::min(least, port.mtu_cap);
        }
        if (ports.empty()) continue;
        const bool is_switch = walk.nodes[i].type == "SWITCH";
        out.add(fabric.port_name(first),
                fmt::format("{} {} can MTU {} (port{} {}), {} can {}: IPoIB is limited to {} wherever "
                            "packets pass it.",
                            is_switch ? "The switch" : "The host", fabric.node_name(walk.nodes[i]), least,
                            ports.size() == 1 ? "" : "s", list(ports), fabric.port_name(best), hosts,
                            least - ipoib_header))
            .because(fabric.at(first, "mtu_cap"), least)
            .because(fabric.at(best, "mtu_cap"), hosts)
            .as(is_switch ? Severity::warning : Severity::info);
    }
}

void room_for_more(const FabricView& fabric, Findings& out) {
    const auto group = fabric.ipoib_group();
    if (!group || !fabric.walk.complete) return;
    std::uint32_t least = 0;
    for (const auto& one : fabric.walk.nodes)
        for (const auto& port : one.ports) {
            if (one.type == "SWITCH" && (port.number == 0 || port.phys_state != "LINK_UP")) continue;
            if (port.mtu_cap) least = least ? std::min(least, port.mtu_cap) : port.mtu_cap;
        }
    if (least <= group->mtu) return;
    out.add("subnet",
            fmt::format(
                "Every link can MTU {}, IPoIB's group has {}: datagram mode could carry {} instead of {}.",
                least, group->mtu, least - ipoib_header, group->mtu - ipoib_header))
        .because(group->path, group->mtu);
}

}  // namespace

std::vector<Rule> mtu_fabric_rules() {
    return {
        {.id = "MTU-01",
         .severity = Severity::error,
         .title = "The IPoIB group is larger than a link carries",
         .reads = "/devices/*/ports/*/subnet/ipoib_groups, port_info; /fabric/*/links",
         .condition = "the broadcast group's MTU is above the NeighborMTU of a host's link",
         .meaning = "The subnet manager refuses the join (status 0x0200), and the interface never gets a "
                    "carrier. It looks like a bad cable, and is one word in the partition file.",
         .remedy = "In partitions.conf: mtu=4 (2048) for the partition, and restart opensm; or replace the "
                   "switch whose ports cannot 4096.",
         .sources = "opensm, osm_sa_mcmember_record.c; seen on a simulated fabric (opensm ERR 1B12)",
         .needs = {Part::devices, Part::subnet},
         .applies = has_infiniband,
         .node = group_above_own_link,
         .fabric = group_above_links},
        {.id = "MTU-02",
         .severity = Severity::warning,
         .title = "A switch with a smaller MTU than the hosts",
         .reads = "/fabric/*/nodes/*/ports/*/mtu_cap",
         .condition = "a switch port with a link cannot what the best host can; of a host: for information",
         .meaning = "The whole fabric stays at the smaller MTU, unless it is split.",
         .remedy = "Leave 2044 everywhere, or replace the switch; do not set mtu=5 in the partition.",
         .sources = "seen on a simulated fabric",
         .fabric = switch_below_hosts},
        {.id = "MTU-03",
         .severity = Severity::info,
         .title = "The fabric could carry more",
         .reads = "/fabric/*/nodes/*/ports/*/mtu_cap; subnet/ipoib_groups",
         .condition = "every link can more than the IPoIB group has",
         .meaning = "opensm makes the group with 2048 by default: half of what the fabric can.",
         .remedy = "In partitions.conf: Default=0x7fff,ipoib,mtu=5:ALL=full; then restart opensm, and ifdown "
                   "and ifup the interfaces.",
         .sources = "opensm(8), partition configuration",
         .fabric = room_for_more},
    };
}

}  // namespace pve_rdma::doctor
