// IP over InfiniBand interfaces: what they cannot be part of, and their partitions.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "doctor/cluster.h"
#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"
#include "doctor/words.h"

namespace pve_rdma::doctor {

namespace {

bool is_ipoib(const Link& link) {
    return bool(link.ipoib) || link.link_type == "infiniband";
}

void in_a_bridge(const Node& node, Findings& out) {
    for (const auto& link : node.report.links) {
        if (!is_ipoib(link) || !link.master) continue;
        const Link* const master = node.find_link(*link.master);
        if (!master || !master->bridge) continue;
        out.add(link.ifname,
                fmt::format(
                    "{} is a port of the bridge {}: IP over InfiniBand has no Ethernet layer to bridge.",
                    link.ifname, master->ifname))
            .because(node.at(link, "link_type"), link.link_type)
            .because(node.at(link, "master"), link.master);
    }
    if (!node.configured) return;
    for (const auto& wanted : node.configured->links) {
        const Link* const bridge = node.find_link(wanted.name);
        if (bridge && !bridge->bridge) continue;
        for (const auto& port : wanted.ports) {
            const Link* const link = node.find_link(port);
            if (!bridge || !link || !is_ipoib(*link) || link->master == wanted.name) continue;
            out.add(port,
                    fmt::format("{} makes {} a port of the bridge {}: IP over InfiniBand cannot be bridged.",
                                wanted.place, port, wanted.name))
                .because(node.at(*link, "link_type"), link->link_type);
        }
    }
}

struct BondPorts {
    std::vector<const Link*> ipoib, other;
};
BondPorts ports_of_bond(const Node& node, const Link& bond) {
    BondPorts ports;
    for (const Link* port : node.ports_of(bond.ifname))
        (is_ipoib(*port) ? ports.ipoib : ports.other).push_back(port);
    return ports;
}

void wrong_bond_mode(const Node& node, Findings& out) {
    for (const auto& bond : node.report.links) {
        if (!bond.bond || !bond.bond->mode || *bond.bond->mode == "active-backup") continue;
        const auto ports = ports_of_bond(node, bond);
        if (ports.ipoib.empty()) continue;
        out.add(bond.ifname,
                fmt::format(
                    "The bond of {} has mode {}; IP over InfiniBand can be bonded with active-backup only.",
                    ports.ipoib.front()->ifname, *bond.bond->mode))
            .because(node.at(bond, "bond/mode"), bond.bond->mode)
            .because(node.at(*ports.ipoib.front(), "master"), bond.ifname);
    }
}

void mixed_bond(const Node& node, Findings& out) {
    for (const auto& bond : node.report.links) {
        if (!bond.bond) continue;
        const auto ports = ports_of_bond(node, bond);
        if (ports.ipoib.empty() || ports.other.empty()) continue;
        out.add(bond.ifname, fmt::format("The bond holds {} (InfiniBand) and {} (Ethernet): the kernel takes "
                                         "ports of one type only.",
                                         ports.ipoib.front()->ifname, ports.other.front()->ifname))
            .because(node.at(*ports.ipoib.front(), "link_type"), ports.ipoib.front()->link_type)
            .because(node.at(*ports.other.front(), "link_type"), ports.other.front()->link_type);
    }
}

// What a port could carry in its mode.
std::uint32_t own_mtu(const Link& port) {
    return port.ipoib && port.ipoib->mode == "connected" ? 65520 : 2044;
}

void poor_bond(const Node& node, Findings& out) {
    for (const auto& bond : node.report.links) {
        if (!bond.bond) continue;
        const auto ports = ports_of_bond(node, bond);
        if (ports.ipoib.empty()) continue;
        const auto& fail_over = bond.bond->fail_over_mac;
        if (fail_over && *fail_over != "active")
            out.add(bond.ifname, fmt::format("fail_over_mac is {}; the address of an InfiniBand interface "
                                             "cannot be set, so only active works.",
                                             *fail_over))
                .because(node.at(bond, "bond/fail_over_mac"), fail_over)
                .do_this("fail_over_mac active.");
        const std::uint32_t least = own_mtu(*ports.ipoib.front());
        if (bond.mtu && *bond.mtu < least)
            out.add(bond.ifname, fmt::format("The bond has MTU {}, its InfiniBand port {} could {}.",
                                             *bond.mtu, ports.ipoib.front()->ifname, least))
                .because(node.at(bond, "mtu"), bond.mtu)
                .because(node.at(*ports.ipoib.front(), "ipoib/mode"),
                         ports.ipoib.front()->ipoib ? ports.ipoib.front()->ipoib->mode : std::nullopt)
                .do_this(fmt::format("ip link set {} mtu {}; a bond hands its MTU to its ports.", bond.ifname,
                                     least));
    }
}

std::optional<PKey> key_of(const Link& link) {
    if (!link.ipoib || !link.ipoib->key) return std::nullopt;
    const auto key = PKey::parse(*link.ipoib->key);
    return key ? std::optional(*key) : std::nullopt;
}

void missing_partition(const Node& node, Findings& out) {
    for (const auto& link : node.report.links) {
        const auto key = key_of(link);
        const PortRef* const ref = node.port_of(link);
        if (!key || !ref) continue;
        if (ref->port.pkeys.empty()) {
            if (ref->port.state == "ACTIVE")
                out.unknown(fmt::format("P_Key table of {}: not known", ref->name()));
            continue;
        }
        const auto entry = std::ranges::find(ref->port.pkeys, key->partition(),
                                             [](const PKeyEntry& one) { return one.pkey.partition(); });
        if (entry == ref->port.pkeys.end()) {
            if (ref->port.state != "ACTIVE") continue;  // the table comes with the subnet manager
            out.add(link.ifname,
                    fmt::format("The interface is of partition {}, which {} is not in: it cannot join.",
                                key->text(), ref->name()))
                .because(node.at(link, "ipoib/key"), link.ipoib->key)
                .because(node.at(*ref, "pkeys/0/pkey"), ref->port.pkeys.front().pkey);
        } else if (!entry->pkey.full_member()) {
            out.add(link.ifname, fmt::format("{} is a limited member of partition {} (its table holds {} at "
                                             "index {}): limited members cannot talk to each other.",
                                             ref->name(), key->text(), entry->pkey.text(), entry->index))
                .because(node.at(*ref, fmt::format("pkeys/{}/pkey", entry - ref->port.pkeys.begin())),
                         entry->pkey)
                .as(Severity::info);
        }
    }
}

// A partition in which nobody is a full member.
void only_limited_members(const Cluster& cluster, Findings& out) {
    struct Members {
        std::size_t limited = 0, full = 0;
        const Node* node = nullptr;
        std::string path;
    };
    std::map<std::uint16_t, Members> partitions;
    for (const auto& node : cluster.nodes())
        for (const auto& ref : node.ports)
            for (std::size_t i = 0; is_infiniband(ref) && i < ref.port.pkeys.size(); ++i) {
                const PKey key = ref.port.pkeys[i].pkey;
                // The default partition has the subnet manager for a full member.
                if (key.partition() == PKey::default_partition) continue;
                Members& members = partitions[key.partition()];
                ++(key.full_member() ? members.full : members.limited);
                members.node = &node;
                members.path = node.at(ref, fmt::format("pkeys/{}/pkey", i));
            }
    for (const auto& [partition, members] : partitions)
        if (members.full == 0 && members.limited > 1)
            out.add(fmt::format("partition 0x{:04x}", partition),
                    fmt::format("{} ports are limited members of the partition and none is a full one: "
                                "nobody in it can talk to anybody.",
                                members.limited))
                .because_of(members.node->name, members.path, PKey{partition})
                .as(Certainty::likely);
}

void partition_twice(const Node& node, Findings& out) {
    std::map<std::pair<std::string, std::uint16_t>, const Link*> known;
    for (const auto& link : node.report.links) {
        const auto key = key_of(link);
        if (!key || !link.link) continue;  // a child
        const auto [entry, fresh] = known.try_emplace({*link.link, key->partition()}, &link);
        if (fresh) continue;
        out.add(link.ifname,
                fmt::format("{} and {} are of one partition ({}) on {}: 0x000a and 0x800a are the same key.",
                            entry->second->ifname, link.ifname, key->text(), *link.link))
            .because(node.at(link, "ipoib/key"), link.ipoib->key)
            .because(node.at(*entry->second, "ipoib/key"), entry->second->ipoib->key);
    }
}

void connected_would_help(const Node& node, Findings& out) {
    for (const auto& link : node.report.links) {
        if (!link.ipoib || link.ipoib->mode != "datagram" || link.mtu != 2044 || !is_up(link)) continue;
        const std::string driver = node.driver_of(link);
        if (driver.empty() || driver.starts_with("mlx5") || driver.starts_with("hfi1")) continue;
        out.add(link.ifname,
                fmt::format("Datagram mode with MTU 2044: the processor handles every 2 KB. {} can connected "
                            "mode (MTU 65520), which carries a multiple where that is the limit.",
                            driver))
            .because(node.at(link, "ipoib/mode"), link.ipoib->mode)
            .because(node.at(link, "mtu"), link.mtu)
            .as(Certainty::possible);
    }
}

void lost_between_children(const Node& node, Findings& out) {
    const auto kernel = version_numbers(node.report.system.kernel_release.value_or(""));
    if (kernel.empty() || kernel >= std::vector<std::uint32_t>{5, 8}) return;
    std::map<std::string, const Link*> first_child;
    for (const auto& link : node.report.links) {
        if (!link.ipoib || !link.link || link.ipoib->mode == "connected") continue;
        if (!node.driver_of(link).starts_with("mlx5")) continue;
        const auto [entry, fresh] = first_child.try_emplace(*link.link, &link);
        if (fresh) continue;
        out.add(link.ifname, fmt::format("{} and {} cannot reach each other on this host: kernels before 5.8 "
                                         "drop packets between offloaded IPoIB interfaces.",
                                         entry->second->ifname, link.ifname))
            .because("/system/kernel_release", node.report.system.kernel_release)
            .because(node.at(link, "link"), link.link);
        return;
    }
}

void default_key_elsewhere(const Node& node, Findings& out) {
    for (const auto& ref : node.ports) {
        if (!is_infiniband(ref) || ref.port.pkeys.empty()) continue;
        const auto entry = std::ranges::find(ref.port.pkeys, PKey::default_partition,
                                             [](const PKeyEntry& one) { return one.pkey.partition(); });
        if (entry == ref.port.pkeys.end() || entry->index == 0) continue;
        out.add(ref.name(), fmt::format("The default partition stands at index {} of the P_Key table, not at "
                                        "0: programs that take index 0 land in {}.",
                                        entry->index, ref.port.pkeys.front().pkey.text()))
            .because(node.at(ref, fmt::format("pkeys/{}/index", entry - ref.port.pkeys.begin())),
                     entry->index);
    }
}

}  // namespace

std::vector<Rule> ipoib_rules() {
    return {
        {.id = "IPOIB-01",
         .severity = Severity::error,
         .title = "IP over InfiniBand in a bridge",
         .reads = "/links/*/master, link_type",
         .condition = "an InfiniBand link whose master is a bridge",
         .meaning = "IPoIB carries IP packets and no Ethernet frames: guests behind the bridge get nothing.",
         .remedy = "Route to the guests (or NAT), give them virtual functions, or run the port as Ethernet.",
         .sources = "RFC 4391; nmstate/nmstate pull request 1345",
         .needs = {Part::links},
         .node = in_a_bridge},
        {.id = "IPOIB-02",
         .severity = Severity::error,
         .title = "A bond mode that IP over InfiniBand does not have",
         .reads = "/links/*/bond/mode, master, link_type",
         .condition = "InfiniBand ports in a bond that is not active-backup",
         .meaning = "The kernel refuses the port, or the bond does not work.",
         .remedy = "mode active-backup; fail_over_mac becomes active by itself.",
         .sources = "Documentation/networking/bonding.rst; bond_enslave()",
         .needs = {Part::links},
         .node = wrong_bond_mode},
        {.id = "IPOIB-03",
         .severity = Severity::error,
         .title = "InfiniBand and Ethernet in one bond",
         .reads = "/links/*/master, link_type",
         .condition = "ports of both types",
         .meaning = "The kernel refuses the second type.",
         .remedy = "Two bonds, or two routes with metrics.",
         .sources = "bond_enslave()",
         .needs = {Part::links},
         .node = mixed_bond},
        {.id = "IPOIB-04",
         .severity = Severity::error,
         .title = "A partition that the port is not in",
         .reads = "/links/*/ipoib/key; /devices/*/ports/*/pkeys of all nodes",
         .condition = "the interface's partition is not in its active port's table; a limited member is for "
                      "information; a partition without any full member is an error",
         .meaning = "The interface cannot join its group and has no carrier; or joins and reaches nobody.",
         .remedy = "Give the port full membership in opensm's partitions.conf (=full), and restart opensm.",
         .sources = "opensm(8), partition configuration; linux-rdma/rdma-core pull request 413",
         .needs = {Part::devices, Part::links},
         .applies = has_ipoib,
         .node = missing_partition,
         .cluster = only_limited_members},
        {.id = "IPOIB-05",
         .severity = Severity::warning,
         .title = "A bond that wastes its InfiniBand ports",
         .reads = "/links/*/bond/fail_over_mac, mtu, ipoib/mode",
         .condition = "fail_over_mac other than active, or an MTU below what the ports can",
         .meaning = "Failover does not work, or every packet is smaller than it need be.",
         .remedy = "fail_over_mac active, and the MTU of the ports on the bond.",
         .sources = "bond_enslave()",
         .needs = {Part::links},
         .node = poor_bond},
        {.id = "IPOIB-06",
         .severity = Severity::warning,
         .title = "A partition twice on one port",
         .reads = "/links/*/ipoib/key, link",
         .condition = "two children of one parent whose keys differ in the membership bit at most",
         .meaning = "Two names for one network: ib0.000a and ib0.800a are the same partition.",
         .remedy = "Delete one of them.",
         .sources = "RFC 4391; kernel ipoib_vlan.c",
         .needs = {Part::links},
         .applies = has_ipoib,
         .node = partition_twice},
        {.id = "IPOIB-07",
         .severity = Severity::info,
         .title = "Connected mode could carry more",
         .reads = "/links/*/ipoib/mode, mtu; the driver",
         .condition = "an interface that is up in datagram mode with 2044, on a card that has connected mode",
         .meaning =
             "Where the processor is the limit, larger packets help; where it is not, nothing changes.",
         .remedy = "Measure; then mode connected and MTU 65520, on every node of the network at once.",
         .sources = "a public tuning log: 4.8 to 12.2 Gb/s",
         .needs = {Part::links},
         .applies = has_ipoib,
         .node = connected_would_help},
        {.id = "IPOIB-08",
         .severity = Severity::warning,
         .title = "Interfaces of one host cannot reach each other",
         .reads = "/system/kernel_release; /links/*/link, ipoib; the driver",
         .condition = "a kernel before 5.8, mlx5, and two children of one IPoIB interface",
         .meaning = "Offloaded IPoIB drops what goes from one child to another on the same host.",
         .remedy = "A newer kernel.",
         .sources = "Mellanox/ipoib-cni issue 9",
         .needs = {Part::links, Part::system},
         .applies = has_ipoib,
         .node = lost_between_children},
        {.id = "IPOIB-09",
         .severity = Severity::info,
         .title = "The default partition is not at index 0",
         .reads = "/devices/*/ports/*/pkeys",
         .condition = "partition 0x7fff stands at another index",
         .meaning = "Programs with a fixed P_Key index of 0 hang without a word.",
         .remedy = "Tell such programs the index.",
         .sources = "NVIDIA/nvshmem issue 82",
         .needs = {Part::devices},
         .applies = has_infiniband,
         .node = default_key_elsewhere},
    };
}

}  // namespace pve_rdma::doctor
