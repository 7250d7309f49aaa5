// The MTU along the stack of links: port, bond, VLAN, bridge, VXLAN.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"

namespace pve_rdma::doctor {

namespace {

constexpr Limit vxlan_over_v4{"header of VXLAN over IPv4", 50, "octets",
                              "Ethernet 14, IPv4 20, UDP 8, VXLAN 8"};
constexpr Limit vxlan_over_v6{"header of VXLAN over IPv6", 70, "octets",
                              "Ethernet 14, IPv6 40, UDP 8, VXLAN 8"};

void vlan_above_its_link(const Node& node, const Link& link, Findings& out) {
    if (!link.vlan || !link.link || !link.mtu || link.link_netnsid) return;
    const Link* const below = node.find_link(*link.link);
    if (!below || !below->mtu || *link.mtu <= *below->mtu) return;
    out.add(link.ifname, fmt::format("The VLAN has MTU {}, {} below it {}: larger packets are lost.",
                                     *link.mtu, below->ifname, *below->mtu))
        .because(node.at(link, "mtu"), link.mtu)
        .because(node.at(*below, "mtu"), below->mtu)
        .do_this(fmt::format("Raise {} to {} first, or lower {}.", below->ifname, *link.mtu, link.ifname));
}

void bond_and_its_ports(const Node& node, const Link& bond, Findings& out) {
    if (!bond.bond || !bond.mtu) return;
    for (const Link* port : node.ports_of(bond.ifname)) {
        if (!port->mtu || *port->mtu == *bond.mtu) continue;
        // Larger is harmless, and IPoIB ports of a bond are IPOIB-05's.
        if (*port->mtu > *bond.mtu) continue;
        out.add(port->ifname,
                fmt::format(
                    "The port has MTU {}, its bond {} {}: packets are lost while it is the one in use.",
                    *port->mtu, bond.ifname, *bond.mtu))
            .because(node.at(*port, "mtu"), port->mtu)
            .because(node.at(bond, "mtu"), bond.mtu)
            .as(Severity::warning)
            .do_this(fmt::format("ip link set {} mtu {}: setting the bond again does not repair a port.",
                                 port->ifname, *bond.mtu));
    }
}

void bridge_and_its_ports(const Node& node, const Link& bridge, Findings& out) {
    if (!bridge.bridge || !bridge.mtu) return;
    for (const Link* port : node.ports_of(bridge.ifname)) {
        if (!port->mtu || is_guest(*port) || *port->mtu >= *bridge.mtu) continue;
        out.add(bridge.ifname,
                fmt::format(
                    "The bridge has MTU {}, its port {} {}: larger packets are dropped without a word.",
                    *bridge.mtu, port->ifname, *port->mtu))
            .because(node.at(bridge, "mtu"), bridge.mtu)
            .because(node.at(*port, "mtu"), port->mtu)
            .do_this(fmt::format("Raise {} to {} if the network behind it carries that; else lower {}.",
                                 port->ifname, *bridge.mtu, bridge.ifname));
    }
}

void vxlan_above_its_link(const Node& node, const Link& link, Findings& out) {
    if (!link.vxlan || !link.mtu) return;
    const auto& vxlan = *link.vxlan;
    const auto below_name = vxlan.link ? vxlan.link : link.link;
    const Link* const below = below_name ? node.find_link(*below_name) : nullptr;
    if (!below || !below->mtu) return;
    const bool v6 = vxlan.group6 || vxlan.remote6 || vxlan.local6;
    const auto header = static_cast<std::uint32_t>((v6 ? vxlan_over_v6 : vxlan_over_v4).value);
    if (*link.mtu + header <= *below->mtu) return;
    const std::uint32_t most = *below->mtu > header ? *below->mtu - header : 0;
    out.add(link.ifname, fmt::format("The VXLAN has MTU {}; over {} with {} and {} octets of header {} fit.",
                                     *link.mtu, below->ifname, *below->mtu, header, most))
        .because(node.at(link, "mtu"), link.mtu)
        .because(node.at(*below, "mtu"), below->mtu)
        // Without a multicast group the kernel may fragment.
        .as(vxlan.group || vxlan.group6 ? Severity::error : Severity::warning)
        .do_this(fmt::format("ip link set {} mtu {}, or raise {}.", link.ifname, most, below->ifname));
}

void chain(const Node& node, Findings& out) {
    for (const auto& link : node.report.links) {
        vlan_above_its_link(node, link, out);
        bond_and_its_ports(node, link, out);
        bridge_and_its_ports(node, link, out);
        vxlan_above_its_link(node, link, out);
    }
}

// A bridge takes the least MTU of its ports: one that was made without one drags the others down.
void dragged_down(const Node& node, Findings& out) {
    for (const auto& bridge : node.report.links) {
        if (!bridge.bridge || !bridge.mtu) continue;
        const Link *least = nullptr, *most = nullptr;
        for (const Link* port : node.ports_of(bridge.ifname)) {
            if (!port->mtu || port->ifname.starts_with("tap") || port->ifname.starts_with("fw")) continue;
            if (!least || *port->mtu < *least->mtu) least = port;
            if (!most || *port->mtu > *most->mtu) most = port;
        }
        if (!least || *least->mtu >= *most->mtu || *bridge.mtu > *least->mtu) continue;
        out.add(bridge.ifname,
                fmt::format("The bridge has MTU {}, since its port {} has; its port {} could {}.",
                            *bridge.mtu, least->ifname, most->ifname, *most->mtu))
            .because(node.at(bridge, "mtu"), bridge.mtu)
            .because(node.at(*least, "mtu"), least->mtu)
            .because(node.at(*most, "mtu"), most->mtu)
            .as(Certainty::likely);
    }
}

}  // namespace

std::vector<Rule> mtu_chain_rules() {
    return {
        {.id = "MTU-09",
         .severity = Severity::error,
         .title = "A link has a larger MTU than what it stands on",
         .reads = "/links/*/mtu, link, master, vlan, bond, bridge, vxlan",
         .condition = "a VLAN above its link, a bridge above a port that is no guest's, a VXLAN above its "
                      "link less the header; a bond's port below the bond: a warning",
         .meaning = "Small packets pass, large ones vanish: connections open and then hang.",
         .remedy = "The same MTU along the whole stack: raise from the bottom up, lower from the top down; "
                   "then test with packets of full size that may not be fragmented.",
         .sources = "measured in network namespaces; kubeovn/kube-ovn issue 4254; CumulusNetworks/ifupdown2 "
                    "issue 110",
         .needs = {Part::links},
         .thresholds = {vxlan_over_v4, vxlan_over_v6},
         .node = chain},
        {.id = "MTU-11",
         .severity = Severity::warning,
         .title = "One port drags a bridge's MTU down",
         .reads = "/links/*/mtu, master",
         .condition = "ports of a bridge differ, and the bridge has the least",
         .meaning = "A veth or VLAN that was made with 1500 costs the jumbo frames of all. In Proxmox's SDN: "
                    "a zone without an mtu.",
         .remedy = "Set the MTU of the small port; for an SDN network set mtu in its zone, not in "
                   "interfaces.d/sdn.",
         .sources = "br_mtu_auto_adjust, net/bridge/br_if.c",
         .needs = {Part::links},
         .node = dragged_down},
    };
}

}  // namespace pve_rdma::doctor
