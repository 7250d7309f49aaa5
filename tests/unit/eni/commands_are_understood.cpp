// What the commands of a stanza do, as far as their words tell.
#include <gtest/gtest.h>

#include "eni/hook_command.h"

namespace pve_rdma::eni {
namespace {

using Indexes = std::vector<std::size_t>;

Indexes piling(std::vector<std::string_view> commands) {
    return piling_commands(commands);
}

const std::string_view add = "iptables -t nat -A POSTROUTING -s '192.0.2.0/24' -j MASQUERADE";

TEST(Commands, ARuleThatIsAddedAndNotLookedForPilesUp) {
    EXPECT_EQ(piling({add}), Indexes{0});
    EXPECT_EQ(piling({"echo 1 > /proc/x", "/usr/sbin/ip6tables --insert FORWARD -j ACCEPT"}), Indexes{1});
    EXPECT_EQ(piling({"echo 1 > /proc/x && iptables -I FORWARD 1 -j ACCEPT"}), Indexes{0});
    EXPECT_EQ(piling({"nft add rule inet nat post masquerade"}), Indexes{0});
    EXPECT_EQ(piling({"nft add table inet nat", "echo iptables -A is not run"}), Indexes{});
}

TEST(Commands, ARuleThatIsTestedForOrTakenAwayFirstDoesNot) {
    EXPECT_EQ(piling({"iptables -C FORWARD -j ACCEPT || iptables -A FORWARD -j ACCEPT"}), Indexes{});
    EXPECT_EQ(piling({"iptables -t nat -D POSTROUTING -s 192.0.2.0/24 -j MASQUERADE || true", add}),
              Indexes{});
    EXPECT_EQ(piling({"iptables -D FORWARD -j ACCEPT", "iptables -I FORWARD 1 -j ACCEPT"}), Indexes{});
    EXPECT_EQ(piling({"iptables -t nat -F", add}), Indexes{});
    EXPECT_EQ(piling({"iptables -D FORWARD -j DROP", add}), Indexes{1}) << "another rule is deleted";
    EXPECT_EQ(piling({add, "iptables -t nat -F"}), Indexes{0}) << "the order counts";
}

TEST(Commands, InterfacesAreMadeByName) {
    EXPECT_TRUE(makes_interface("ip link add $IFACE type dummy || true", "d0"));
    EXPECT_TRUE(makes_interface("/sbin/ip -6 l a name d0 type dummy", "d0"));
    EXPECT_TRUE(makes_interface("brctl addbr d0", "d0"));
    EXPECT_TRUE(makes_interface("ip tuntap add mode tap ${IFACE}", "d0"));
    EXPECT_FALSE(makes_interface("ip link add d1 type dummy", "d0"));
    EXPECT_FALSE(makes_interface("ip link set d0 up", "d0"));
    EXPECT_FALSE(makes_interface("ip", "d0"));
}

TEST(Commands, RoutesAreReadFromBothPrograms) {
    const auto by_ip = added_routes("ip -family inet6 r add 2001:db8::/32 via 2001:db8::1 dev $IFACE", "e0");
    ASSERT_EQ(by_ip.size(), 1u);
    EXPECT_EQ(by_ip[0].destination, "2001:db8::/32");
    EXPECT_EQ(by_ip[0].via, "2001:db8::1");
    EXPECT_EQ(by_ip[0].dev, "e0");
    const auto by_route = added_routes("route add -net 192.0.2.0/24 gw 198.51.100.1 dev e1", "e0");
    ASSERT_EQ(by_route.size(), 1u);
    EXPECT_EQ(by_route[0].destination, "192.0.2.0/24");
    EXPECT_EQ(by_route[0].via, "198.51.100.1");
    EXPECT_EQ(by_route[0].dev, "e1");
    EXPECT_TRUE(added_routes("ip route replace default via 192.0.2.1 onlink", "e0").at(0).onlink);
    EXPECT_EQ(added_routes("ip route add default via inet6 fe80::1", "e0").at(0).via, "fe80::1");
    EXPECT_EQ(added_routes("ip route add 192.0.2.0/24; ip route add 198.51.100.0/24", "e0").size(), 2u);
    for (const char* other :
         {"ip route del default", "ip rule add from 192.0.2.1 table 7", "ip route", "via", ""})
        EXPECT_TRUE(added_routes(other, "e0").empty()) << other;
}

TEST(Commands, WhatAScriptDoesIsNotKnown) {
    EXPECT_TRUE(may_add_address("ip addr add 192.0.2.1/24 dev e0"));
    EXPECT_TRUE(may_add_address("/usr/local/bin/up $IFACE"));
    EXPECT_FALSE(may_add_address("ip route add default via 192.0.2.1 || true"));
    EXPECT_FALSE(may_add_address("/sbin/ethtool -K e0 tx off"));
}

}  // namespace
}  // namespace pve_rdma::eni
