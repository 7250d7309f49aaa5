// What is below a link, and which of it is the smallest.
#include "path/mtu_chain.h"

#include <gtest/gtest.h>

namespace pve_rdma {
namespace {

Link link(const std::string& name, std::uint32_t mtu, const std::string& kind = "",
          const std::string& master = "", const std::string& below = "") {
    Link made;
    made.ifname = name;
    made.mtu = mtu;
    made.flags = {"UP", "LOWER_UP"};
    made.link_type = "ether";
    if (!kind.empty()) made.info_kind = kind;
    if (!master.empty()) made.master = master;
    if (!below.empty()) made.link = below;
    return made;
}

NodeReport node(std::vector<Link> links) {
    NodeReport report;
    std::uint32_t ifindex = 0;
    for (auto& one : links)
        one.ifindex = ++ifindex;
    report.links = std::move(links);
    return report;
}

MtuChain chain(const NodeReport& report, const std::string& name) {
    return MtuChains(report).under(name).value();
}

std::vector<std::string> names(const MtuChain& chain) {
    std::vector<std::string> out;
    for (const auto& hop : chain.hops)
        out.push_back(std::string(hop.depth, '>') + hop.name);
    return out;
}

const MtuHop& hop(const MtuChain& chain, const std::string& name) {
    for (const auto& one : chain.hops)
        if (one.name == name) return one;
    throw std::runtime_error("no hop " + name);
}

using Names = std::vector<std::string>;

TEST(MtuChain, ABridgePortBelowItsBridgeIsTheSmallest) {
    const auto report = node({link("ens19", 1500, "", "vmbr1"), link("ens20", 9000, "", "vmbr1"),
                              link("vmbr1", 9000, "bridge"), link("other", 1280, "", "vmbr9")});
    const auto found = chain(report, "vmbr1");
    EXPECT_EQ(names(found), (Names{"vmbr1", ">ens19", ">ens20"}));
    EXPECT_EQ(found.sent, 9000u);
    EXPECT_EQ(found.mtu, 1500u);
    EXPECT_EQ(found.smallest, "ens19");
    EXPECT_EQ(found.message, "9000 is sent, but ens19 (port of vmbr1) carries no more than 1500");
    EXPECT_EQ(found.remedy,
              "raise the MTU of ens19 to 9000, if all behind it carries that; else set the MTU of vmbr1 to "
              "1500, on "
              "every node of that network");
}

TEST(MtuChain, WhereAllIsWellThereIsNothingToDo) {
    const auto found =
        chain(node({link("ens19", 9000, "", "vmbr1"), link("vmbr1", 1500, "bridge")}), "vmbr1");
    EXPECT_EQ(found.mtu, 1500u);
    EXPECT_EQ(found.smallest, "vmbr1");
    EXPECT_EQ(found.message, "every hop carries 1500");
    EXPECT_FALSE(found.remedy);
}

TEST(MtuChain, APortTowardsAGuestLimitsThatGuestOnly) {
    const auto report = node({link("ens19", 9000, "", "vmbr1"), link("tap100i0", 1500, "tun", "vmbr1"),
                              link("veth101i0", 1500, "veth", "vmbr1"), link("vmbr1", 9000, "bridge")});
    const auto found = chain(report, "vmbr1");
    EXPECT_EQ(found.mtu, 9000u);
    EXPECT_FALSE(hop(found, "tap100i0").counts);
    EXPECT_EQ(hop(found, "veth101i0").note, "leads to a guest");
    // A bridge of guests only: the packet goes to one of them.
    EXPECT_EQ(
        chain(node({link("tap100i0", 1500, "tun", "vmbr2"), link("vmbr2", 9000, "bridge")}), "vmbr2").mtu,
        1500u);
}

TEST(MtuChain, APortThatIsDownDoesNotCount) {
    auto down = link("ens20", 1500, "", "vmbr1");
    down.flags = {"BROADCAST"};
    const auto found =
        chain(node({link("ens19", 9000, "", "vmbr1"), down, link("vmbr1", 9000, "bridge")}), "vmbr1");
    EXPECT_EQ(found.mtu, 9000u);
    EXPECT_EQ(hop(found, "ens20").note, "down");
}

TEST(MtuChain, TheWholeWayDownIsWalked) {
    auto backup = link("nic1", 1500, "", "bond0");
    backup.bond_port.emplace().state = "BACKUP";
    const auto report =
        node({link("nic0", 9000, "", "bond0"), backup, link("bond0", 9000, "bond"),
              link("bond0.7", 9000, "vlan", "vmbr0", "bond0"), link("vmbr0", 9000, "bridge")});
    const auto found = chain(report, "vmbr0");
    EXPECT_EQ(names(found), (Names{"vmbr0", ">bond0.7", ">>bond0", ">>>nic0", ">>>nic1"}));
    EXPECT_EQ(found.smallest, "nic1");
    EXPECT_EQ(found.mtu, 1500u);
    EXPECT_EQ(hop(found, "nic1").note, "backup");
    EXPECT_EQ(hop(found, "bond0").role, "below bond0.7");
}

TEST(MtuChain, ATunnelsHeadersAreTakenOff) {
    auto v4 = link("vxlan4", 1500, "vxlan", "", "nic0");
    v4.vxlan.emplace().remote = IpAddress::parse("192.0.2.9").value();
    auto v6 = link("vxlan6", 1430, "vxlan");
    v6.vxlan.emplace().link = "nic0";  // as the kernel tells it
    v6.vxlan->remote6 = IpAddress::parse("2001:db8::9").value();
    const auto report = node({link("nic0", 1500), v4, v6});
    EXPECT_EQ(chain(report, "vxlan4").mtu, 1450u);
    EXPECT_EQ(chain(report, "vxlan4").message,
              "1500 is sent, but nic0 (carries vxlan4 (+50 octets)) carries no more than 1450: its MTU of "
              "1500 less "
              "50 octets of headers");
    EXPECT_EQ(chain(report, "vxlan4").remedy,
              "raise the MTU of nic0 to 1550, if all behind it carries that; else set the MTU of vxlan4 to "
              "1450, on "
              "every node of that network");
    EXPECT_EQ(chain(report, "vxlan6").mtu, 1430u);
    EXPECT_EQ(hop(chain(report, "vxlan6"), "nic0").limit, 1430u);
}

TEST(MtuChain, AVethPairIsWalkedOnceAndOnlyInThisNamespace) {
    EXPECT_EQ(names(chain(node({link("a", 9000, "veth", "", "b"), link("b", 1500, "veth", "", "a")}), "a")),
              (Names{"a", ">b"}));
    auto outside = link("a", 9000, "veth", "", "b");
    outside.link_netnsid = 0;
    EXPECT_EQ(names(chain(node({outside, link("b", 1500)}), "a")), Names{"a"});
}

TEST(MtuChain, LinksInACircleEnd) {
    const auto report = node({link("a", 1500, "vlan", "b", "b"), link("b", 1500, "bridge", "", "a")});
    EXPECT_EQ(names(chain(report, "b")), (Names{"b", ">a"}));
    EXPECT_EQ(chain(node({link("self", 1500, "vlan", "", "self")}), "self").hops.size(), 1u);
}

NodeReport ipoib_node(const std::string& mode, std::uint32_t mtu, std::uint32_t port_mtu,
                      std::uint32_t group_mtu) {
    auto ib0 = link("ib0", mtu, "ipoib");
    ib0.link_type = "infiniband";
    ib0.ipoib.emplace() = {.key = "0xffff", .mode = mode};
    auto report = node({ib0});
    auto& device = report.devices.emplace_back();
    device.name = "mlx4_0";
    auto& port = device.ports.emplace_back();
    port.number = 1;
    port.netdevs = {"ib0"};
    port.active_mtu = port_mtu;
    auto& group = port.subnet.emplace().ipoib_groups.emplace_back();
    group.pkey.value = 0xffff;
    group.group.emplace().mtu = group_mtu;
    return report;
}

TEST(MtuChain, DatagramModeEndsAtTheGroupAndThePort) {
    const auto fits = chain(ipoib_node("datagram", 2044, 4096, 2048), "ib0");
    EXPECT_EQ(names(fits), (Names{"ib0", ">group of P_Key 0xffff", ">mlx4_0 port 1"}));
    EXPECT_EQ(fits.mtu, 2044u);
    EXPECT_FALSE(fits.remedy);
    const auto group = chain(ipoib_node("datagram", 4092, 4096, 2048), "ib0");
    EXPECT_EQ(group.smallest, "group of P_Key 0xffff");
    EXPECT_EQ(group.mtu, 2044u);
    EXPECT_NE(group.remedy->find("mtu=5"), std::string::npos);
    EXPECT_EQ(chain(ipoib_node("datagram", 4092, 2048, 4096), "ib0").smallest, "mlx4_0 port 1");
}

TEST(MtuChain, ConnectedModeCutsItsMessagesUp) {
    const auto found = chain(ipoib_node("connected", 65520, 2048, 2048), "ib0");
    EXPECT_EQ(found.mtu, 65520u);
    EXPECT_EQ(hop(found, "mlx4_0 port 1").note, "connected mode: binds multicast only");
}

TEST(MtuChain, WhatARouteIsGivenIsWhatIsSent) {
    const auto report = node({link("nic0", 9000)});
    Route route;
    route.dev = "nic0";
    EXPECT_EQ(MtuChains(report).under(route)->sent, 9000u);
    route.metrics.emplace().mtu = 1400;
    const auto given = MtuChains(report).under(route).value();
    EXPECT_EQ(given.sent, 1400u);
    EXPECT_EQ(given.smallest, "route");
    EXPECT_EQ(given.message, "the route is given 1400");
    EXPECT_FALSE(given.remedy);
    route.expires = 500;
    EXPECT_EQ(MtuChains(report).under(route)->sent, 9000u) << "what was learned is asked again";
    route.dev.reset();
    EXPECT_FALSE(MtuChains(report).under(route));
    EXPECT_FALSE(MtuChains(report).under("nowhere"));
}

TEST(MtuChain, EveryLinkWithAnAddressOfItsOwnHasOne) {
    auto report = node({link("nic0", 9000), link("nic1", 1500), link("nic2", 1500)});
    report.links[1].flags = {};
    for (std::uint32_t ifindex : {1u, 1u, 2u})
        report.addresses.push_back({.ifindex = ifindex,
                                    .ifname = "nic" + std::to_string(ifindex - 1),
                                    .family = "inet",
                                    .local = IpAddress::parse("192.0.2.1").value(),
                                    .prefixlen = 24,
                                    .scope = "global"});
    report.addresses.push_back({.ifindex = 3,
                                .ifname = "nic2",
                                .family = "inet6",
                                .local = IpAddress::parse("fe80::1").value(),
                                .prefixlen = 64,
                                .scope = "link"});
    const auto chains = MtuChains(report).all();
    ASSERT_EQ(chains.size(), 1u);
    EXPECT_EQ(chains[0].link, "nic0");
    EXPECT_EQ(chains[0].addresses, (Names{"192.0.2.1/24", "192.0.2.1/24"}));
}

TEST(MtuChain, AnUnknownMtuIsSaidToBeUnknown) {
    auto unknown = link("nic0", 1500);
    unknown.mtu.reset();
    const auto found = chain(node({unknown}), "nic0");
    EXPECT_EQ(found.mtu, 0u);
    EXPECT_EQ(found.message, "no MTU is known");
}

}  // namespace
}  // namespace pve_rdma
