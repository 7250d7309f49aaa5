// The MTU of IPoIB and RoCE interfaces of one node, and of the same network on all.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "doctor/cluster.h"
#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"

namespace pve_rdma::doctor {

namespace {

constexpr std::uint32_t ipoib_header = 4;  // RFC 4391
constexpr Limit datagram_best{"MTU", 4092, "octets",
                              "datagram mode reaches it, so connected mode below it only costs"};

bool is_datagram(const Link& link) {
    return link.ipoib && link.ipoib->mode == "datagram";
}

// The broadcast group of the link's partition, as its port was told.
const McMemberRecord* group_of(const Node& node, const Link& link, std::string& path) {
    const PortRef* const ref = node.port_of(link);
    if (!ref || !ref->port.subnet) return nullptr;
    const auto key = link.ipoib ? PKey::parse(link.ipoib->key.value_or("0xffff")) : PKey::parse("0xffff");
    if (!key) return nullptr;
    const auto& groups = ref->port.subnet->ipoib_groups;
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (groups[i].group && groups[i].pkey.partition() == key->partition()) {
            path = node.at(*ref, fmt::format("subnet/ipoib_groups/{}/group/mtu", i));
            return &*groups[i].group;
        }
    return nullptr;
}

void clipped(const Node& node, Findings& out) {
    for (const auto& wanted : node.configured->links) {
        const Link* const link = node.find_link(wanted.name);
        if (!link || !is_datagram(*link) || !link->mtu || !wanted.mtu || *wanted.mtu <= *link->mtu) continue;
        std::string path;
        const McMemberRecord* const group = group_of(node, *link, path);
        auto& finding =
            out.add(link->ifname,
                    fmt::format(
                        "{} asks for MTU {}, the kernel set {}{}.", wanted.place, *wanted.mtu, *link->mtu,
                        group ? fmt::format(": the multicast group allows {}", group->mtu - ipoib_header)
                              : ""))
                .because(node.at(*link, "mtu"), link->mtu)
                .because(node.at(*link, "ipoib/mode"), link->ipoib->mode);
        if (group) finding.because(path, group->mtu);
    }
}

void connected_and_small(const Node& node, Findings& out) {
    for (const auto& link : node.report.links) {
        if (!link.ipoib || link.ipoib->mode != "connected" || !link.mtu) continue;
        if (*link.mtu > datagram_best.value) continue;
        out.add(link.ifname, fmt::format("Connected mode with MTU {}: it costs a connection to every peer "
                                         "and gives no larger packets.",
                                         *link.mtu))
            .because(node.at(link, "ipoib/mode"), link.ipoib->mode)
            .because(node.at(link, "mtu"), link.mtu)
            .do_this(fmt::format("ip link set {} mtu 65520 (on every node of the network), or datagram mode.",
                                 link.ifname));
    }
}

void wish_for_connected(const Node& node, Findings& out) {
    for (const auto& wanted : node.configured->links) {
        const Link* const link = node.find_link(wanted.name);
        if (!link || !link->ipoib || !node.driver_of(*link).starts_with("mlx5")) continue;
        const bool wants = wanted.ipoib_mode == "connected" || wanted.mtu.value_or(0) > datagram_best.value;
        if (!wants || link->ipoib->mode == "connected") continue;
        out.add(link->ifname, fmt::format("{} asks for connected mode or a larger MTU than datagram mode "
                                          "has; this card (ConnectX-4 or later) offers datagram mode only.",
                                          wanted.place))
            .because(node.at(*link, "ipoib/mode"), link->ipoib->mode);
    }
}

void path_below_link(const Node& node, Findings& out) {
    for (const auto& link : node.report.links) {
        if (!is_datagram(link) || !link.mtu) continue;
        const PortRef* const ref = node.port_of(link);
        if (!ref || !ref->port.subnet || !ref->port.subnet->path_to_sm) continue;
        const std::uint32_t path = ref->port.subnet->path_to_sm->mtu;
        if (path == 0 || path >= *link.mtu + ipoib_header) continue;
        out.add(link.ifname, fmt::format("The interface sends packets of {} octets, the path to the subnet "
                                         "manager carries {}: larger ones vanish there.",
                                         *link.mtu + ipoib_header, path))
            .because(node.at(link, "mtu"), link.mtu)
            .because(node.at(*ref, "subnet/path_to_sm/mtu"), path);
    }
}

void small_roce(const Node& node, Findings& out) {
    for (const auto& ref : node.ports) {
        if (!is_ethernet(ref) || ref.port.state != "ACTIVE" || !ref.port.active_mtu || !ref.port.max_mtu)
            continue;
        if (*ref.port.active_mtu >= *ref.port.max_mtu) continue;
        const auto netdevs = node.netdevs_of(ref);
        if (netdevs.empty() || !netdevs.front()->mtu) continue;
        const Link& link = *netdevs.front();
        out.add(ref.name(),
                fmt::format(
                    "RDMA over {} uses packets of {} octets (MTU of the interface: {}); the card can {}.",
                    link.ifname, *ref.port.active_mtu, *link.mtu, *ref.port.max_mtu))
            .because(node.at(ref, "active_mtu"), ref.port.active_mtu)
            .because(node.at(ref, "max_mtu"), ref.port.max_mtu)
            .because(node.at(link, "mtu"), link.mtu);
    }
}

// Interfaces of one partition of one subnet should be the same everywhere.
void differing_ipoib(const Cluster& cluster, Findings& out) {
    struct Seen {
        const Node* node;
        const Link* link;
        std::size_t count;
    };
    using Setting = std::pair<std::string, std::uint32_t>;  // mode and MTU
    std::map<std::string, std::map<Setting, Seen>> networks;
    for (const auto& node : cluster.nodes())
        for (const auto& link : node.report.links) {
            if (!link.ipoib || !link.mtu || !link.ipoib->mode || !is_up(link)) continue;
            const PortRef* const ref = node.port_of(link);
            if (!ref || ref->port.state != "ACTIVE") continue;
            const bool knows_sm = ref->port.subnet && ref->port.subnet->sm;
            const std::string key = fmt::format("{:016x} {} {}", ref->port.subnet_prefix.value_or(0),
                                                knows_sm ? ref->port.subnet->sm->guid.text() : "",
                                                link.ipoib->key.value_or("0xffff"));
            const auto [entry, fresh] =
                networks[key].try_emplace(Setting{*link.ipoib->mode, *link.mtu}, Seen{&node, &link, 0});
            ++entry->second.count;
        }
    for (const auto& [network, settings] : networks) {
        if (settings.size() < 2) continue;
        const auto common =
            std::ranges::max_element(settings, {}, [](const auto& setting) { return setting.second.count; });
        for (const auto& [setting, seen] : settings) {
            if (&setting == &common->first) continue;
            const Seen& most = common->second;
            out.add(seen.link->ifname,
                    fmt::format("{} has {} with {} mode and MTU {}; {} ({} of the network alike) has {} with "
                                "{} mode and MTU {}.",
                                seen.node->name, seen.link->ifname, setting.first, setting.second,
                                most.node->name, most.count, most.link->ifname, common->first.first,
                                common->first.second))
                .because_of(seen.node->name, seen.node->at(*seen.link, "mtu"), seen.link->mtu)
                .because_of(most.node->name, most.node->at(*most.link, "mtu"), most.link->mtu);
        }
    }
}

}  // namespace

std::vector<Rule> mtu_rules() {
    return {
        {.id = "MTU-04",
         .severity = Severity::warning,
         .title = "The kernel cut an IPoIB MTU",
         .reads = "/etc/network/interfaces; /links/*/mtu, ipoib/mode; subnet/ipoib_groups",
         .condition = "datagram mode, and the file asks for more than is set",
         .meaning = "In datagram mode the kernel silently takes the smaller of the wish and the multicast "
                    "group's MTU.",
         .remedy = "Raise the group's MTU in the subnet manager's partitions (MTU-03), or write the smaller "
                   "number.",
         .sources = "drivers/infiniband/ulp/ipoib/ipoib_main.c",
         .needs = {Part::links, Part::configured},
         .applies = has_ipoib,
         .node = clipped},
        {.id = "MTU-05",
         .severity = Severity::warning,
         .title = "Connected mode with a datagram MTU",
         .reads = "/links/*/ipoib/mode, mtu",
         .condition = "connected mode and an MTU that datagram mode reaches",
         .meaning = "Every peer costs a connection and its memory, and packets are as small as without.",
         .remedy = "MTU 65520 on every node of the network, or datagram mode.",
         .sources = "Documentation/infiniband/ipoib.rst; recorded tree of a ConnectX-3",
         .needs = {Part::links},
         .thresholds = {datagram_best},
         .applies = has_ipoib,
         .node = connected_and_small},
        {.id = "MTU-06",
         .severity = Severity::error,
         .title = "Connected mode is asked of a card that has none",
         .reads = "/etc/network/interfaces; /links/*/ipoib/mode; the driver",
         .condition = "the file asks for connected mode or an MTU above 4092, and mlx5 runs the interface in "
                      "datagram mode",
         .meaning = "ConnectX-4 and later offload IPoIB, and that knows datagram mode only.",
         .remedy = "MTU 4092 in datagram mode (2044 where the fabric has 2048); the vendor's ib_ipoib can be "
                   "loaded with ipoib_enhanced=0.",
         .sources = "Red Hat, configuring IPoIB; MLNX_OFED manual",
         .needs = {Part::links, Part::configured},
         .applies = has_ipoib,
         .node = wish_for_connected},
        {.id = "MTU-07",
         .severity = Severity::error,
         .title = "IPoIB differs between nodes",
         .reads = "/links/*/ipoib/mode, mtu of all nodes",
         .condition = "interfaces that are up, of one partition and subnet, differ in mode or MTU",
         .meaning = "Large UDP and multicast packets are lost; TCP picks odd segment sizes.",
         .remedy = "The same mode and MTU on every node of the network.",
         .sources = "Mellanox/network-operator issue 1664",
         .cluster = differing_ipoib},
        {.id = "MTU-08",
         .severity = Severity::error,
         .title = "A path of the fabric carries less than the interface sends",
         .reads = "/devices/*/ports/*/subnet/path_to_sm/mtu; /links/*/mtu",
         .condition = "datagram mode, and the path's MTU is below the interface's MTU + 4",
         .meaning = "Packets that are too large vanish on that pair of nodes, without an error.",
         .remedy = "As for MTU-02: the same MTU everywhere, or replace the switch.",
         .sources = "IBA vol. 1, 15.2.5.16; seen on a simulated fabric",
         .needs = {Part::devices, Part::links, Part::subnet},
         .applies = has_ipoib,
         .node = path_below_link},
        {.id = "MTU-10",
         .severity = Severity::info,
         .title = "RoCE uses small packets",
         .reads = "/devices/*/ports/*/active_mtu, max_mtu; /links/*/mtu",
         .condition = "an active RoCE port with active_mtu below max_mtu",
         .meaning =
             "RDMA takes the largest of 256 to 4096 that fits the interface: 1500 gives 1024, 2200 gives "
             "2048, 4200 gives 4096. It costs a few per cent, and a program that insists on 4096 fails.",
         .remedy = "MTU 4200 or 9000 on the interfaces of both ends and on the switch.",
         .sources = "NVIDIA/dgx-spark-playbooks pull request 103; tensorflow pull request 9432",
         .needs = {Part::devices, Part::links},
         .applies = has_roce,
         .node = small_roce},
    };
}

}  // namespace pve_rdma::doctor
