#include <algorithm>

#include <gtest/gtest.h>

#include "fake.h"
#include "mad/fabric.h"
#include "mad/words.h"

namespace pve_rdma {
namespace {

using test::node_named;
using test::TwoSwitches;
using test::value;

std::size_t count(const FabricWalk& walk, std::string_view type) {
    return static_cast<std::size_t>(std::ranges::count(walk.nodes, type, &WalkNode::type));
}

TEST(Walk, FindsEveryNodePortAndLinkWithoutASubnetManager) {
    TwoSwitches lab;
    const auto walk = value(lab.walk({lab.hosts[2], 1}));
    EXPECT_EQ(walk.nodes.size(), 6u);
    EXPECT_EQ(count(walk, "SWITCH"), 2u);
    EXPECT_EQ(walk.links.size(), 10u);
    EXPECT_TRUE(walk.complete);
    EXPECT_TRUE(walk.errors.empty());
    EXPECT_TRUE(walk.sms.empty());
    ASSERT_FALSE(walk.nodes.empty());
    EXPECT_EQ(walk.nodes[0].description, "pve3 mlx4_0");
    EXPECT_EQ(walk.nodes[0].path, "0");
    const auto* sx = node_named(walk, "sx6036");
    ASSERT_TRUE(sx);
    EXPECT_EQ(sx->ports.size(), 37u);
    EXPECT_EQ(sx->path, "0,1,35");
    ASSERT_TRUE(sx->find_port(1));
    EXPECT_EQ(sx->find_port(1)->width, "4X");
    EXPECT_EQ(sx->find_port(1)->speed, "FDR");
    EXPECT_EQ(sx->find_port(5)->state, "DOWN");
}

TEST(Walk, AsksEachLinkOnceAndEachNodeAndPortOnce) {
    TwoSwitches lab;
    const auto walk = value(lab.walk({lab.hosts[0], 1}, {.window_start = 1, .window_max = 1}));
    // 1 + 10 NodeInfo (the local node, each link), 6 NodeDescription, 2 * 37 + 8 PortInfo.
    EXPECT_EQ(walk.statistics.sent, 11u + 6 + 74 + 8);
}

TEST(Walk, GivesTheSubnetManagersOfAllPortsThatRunOne) {
    TwoSwitches lab;
    lab.fabric.start_sm({lab.hosts[0], 1}, 10);
    lab.fabric.start_sm({lab.hosts[1], 1}, 5);
    const auto walk = value(lab.walk({lab.hosts[3], 1}));
    ASSERT_EQ(walk.sms.size(), 2u);
    std::vector<std::pair<std::string, std::uint32_t>> states;
    for (const auto& sm : walk.sms)
        states.emplace_back(sm.state, sm.priority);
    std::ranges::sort(states);
    EXPECT_EQ(states[0], std::pair(std::string("MASTER"), 10u));
    EXPECT_EQ(states[1], std::pair(std::string("STANDBY"), 5u));
}

TEST(Walk, NamesWhatCapsALink) {
    TwoSwitches lab;
    // Bad cables: the links train lower than both ends may.
    for (const LinkEnd end : {LinkEnd{lab.hosts[2], 2}, LinkEnd{lab.s2, 3}})
        lab.fabric.port(end).info.link_width_active = 1;
    for (const LinkEnd end : {LinkEnd{lab.hosts[3], 2}, LinkEnd{lab.s2, 4}}) {
        lab.fabric.port(end).info.link_speed_active = 1;
        lab.fabric.port(end).info.link_speed_ext_active = 0;
    }
    lab.fabric.start_sm({lab.hosts[0], 1}, 10);
    const auto walk = value(lab.walk({lab.hosts[0], 1}));
    const auto capped = [&](const std::string& host, std::uint32_t port) -> std::vector<std::string> {
        for (const auto& link : walk.links)
            for (const auto end : {link.from, link.to})
                if (walk.nodes[end.node].description == host && end.port == port) return link.capped;
        return {"no such link"};
    };
    EXPECT_EQ(capped("pve3 mlx4_0", 2), std::vector<std::string>{"width 1X, both ends may 4X"});
    EXPECT_EQ(capped("pve4 mlx4_0", 2), std::vector<std::string>{"speed SDR, both ends may FDR"});
    EXPECT_EQ(
        capped("pve1 mlx4_0", 1),
        std::vector<std::string>{"MTU 2048: old-qdr-switch port 1 can no more, the other end can 4096"});
    EXPECT_TRUE(capped("pve1 mlx4_0", 2).empty());
}

TEST(Walk, ShowsFdr10WhereTheVendorAttributeSaysSo) {
    TwoSwitches lab;
    auto& sw = lab.fabric.node(lab.s2);
    sw.knows_mellanox_ext = true;
    auto& port = sw.ports[1];
    port.info.link_speed_ext_active = 0;
    port.info.link_speed_active = 4;
    port.mellanox_ext.link_speed_supported = port.mellanox_ext.link_speed_active = 1;
    const auto walk = value(lab.walk({lab.hosts[0], 1}));
    EXPECT_EQ(node_named(walk, "sx6036")->find_port(1)->speed, "FDR10");
    EXPECT_TRUE(walk.errors.empty());
}

TEST(Walk, TellsTwoCardsWithTheSameGuidApartAndNamesThem) {
    TwoSwitches lab;
    lab.fabric.node(lab.hosts[1]).info.node_guid = lab.fabric.node(lab.hosts[0]).info.node_guid;
    lab.fabric.node(lab.hosts[1]).info.system_image_guid =
        lab.fabric.node(lab.hosts[0]).info.system_image_guid;
    const auto walk = value(lab.walk({lab.hosts[2], 1}));
    EXPECT_EQ(walk.nodes.size(), 6u);
    EXPECT_EQ(walk.links.size(), 10u);
    ASSERT_EQ(walk.errors.size(), 1u);
    EXPECT_EQ(walk.errors[0].error, "conflict");
    const auto duplicates =
        std::ranges::count_if(walk.nodes, [](const auto& node) { return node.duplicate_of.has_value(); });
    EXPECT_EQ(duplicates, 1);
}

TEST(Walk, EndsAmongSwitchesWithTheSameGuid) {
    FakeFabric fabric;
    const auto host = fabric.add_hca("host", Guid{0x100});
    std::vector<std::uint32_t> switches;
    for (int i = 0; i < 4; ++i)
        switches.push_back(fabric.add_switch("clone", Guid{0x900}, 8));
    fabric.connect({host, 1}, {switches[0], 1});
    for (std::uint32_t i = 0; i < 4; ++i)  // a ring, and both diagonals
        fabric.connect({switches[i], 2 + i % 2}, {switches[(i + 1) % 4], 4 + i % 2});
    fabric.connect({switches[0], 7}, {switches[2], 7});
    fabric.connect({switches[1], 7}, {switches[3], 7});
    auto transport = fabric.open({host, 1});
    const auto walk = value(ask_walk(*transport, fabric.local_port({host, 1}), {.deadline_ms = 60'000}));
    EXPECT_FALSE(walk.statistics.deadline_reached);
    EXPECT_FALSE(walk.errors.empty());
    EXPECT_LE(walk.nodes.size(), 16u);
}

TEST(Walk, SurvivesCablesThatEndWhereTheyBegin) {
    TwoSwitches lab;
    lab.fabric.connect({lab.s1, 10}, {lab.s1, 11});
    lab.fabric.connect({lab.s2, 12}, {lab.s2, 12});
    const auto walk = value(lab.walk({lab.hosts[0], 1}));
    EXPECT_EQ(walk.nodes.size(), 6u);
    EXPECT_EQ(walk.links.size(), 12u);
    EXPECT_TRUE(walk.errors.empty());
}

TEST(Walk, NamesANodeThatDoesNotAnswerAndWalksAroundIt) {
    TwoSwitches lab;
    lab.fabric.node(lab.hosts[1]).silent = true;
    const auto walk = value(lab.walk({lab.hosts[0], 1}));
    EXPECT_EQ(walk.nodes.size(), 5u);
    EXPECT_EQ(walk.links.size(), 8u);
    EXPECT_FALSE(walk.complete);
    ASSERT_EQ(walk.errors.size(), 2u);
    EXPECT_EQ(walk.errors[0].what, "direct route 0,1,2");
    EXPECT_EQ(walk.errors[0].error, "ETIMEDOUT");
    EXPECT_NE(walk.errors[0].text.find("NodeInfo"), std::string::npos);
    EXPECT_NE(walk.errors[0].hint.find("M_Key"), std::string::npos);
}

TEST(Walk, TakesANodeBehindAnMKeyForOneThatDoesNotAnswer) {
    TwoSwitches lab;
    lab.fabric.node(lab.s2).refuses_without_mkey = true;
    const auto walk = value(lab.walk({lab.hosts[0], 1}));
    EXPECT_EQ(count(walk, "SWITCH"), 1u);
    EXPECT_FALSE(walk.complete);
    EXPECT_GT(lab.fabric.port({lab.s2, 0}).info.mkey_violations, 0u);
}

TEST(Walk, EndsWhenACableIsPulledOnTheWay) {
    TwoSwitches lab;
    lab.fabric.delay = std::chrono::microseconds(100);
    lab.fabric.at(std::chrono::milliseconds(3), [&] {
        lab.fabric.disconnect({lab.s1, 35});
        lab.fabric.disconnect({lab.s1, 36});
    });
    const auto walk = value(lab.walk({lab.hosts[0], 1}));
    EXPECT_FALSE(walk.complete);
    EXPECT_FALSE(walk.errors.empty());
    EXPECT_TRUE(node_named(walk, "pve4 mlx4_0"));
}

TEST(Walk, IsAnErrorWhenTheLocalPortIsSilent) {
    TwoSwitches lab;
    lab.fabric.node(lab.hosts[0]).silent = true;
    const auto walk = lab.walk({lab.hosts[0], 1});
    ASSERT_FALSE(walk);
    EXPECT_EQ(walk.error().code, ErrorCode::timeout);
}

TEST(Walk, TextKeepsTo80ColumnsAndNamesEveryNode) {
    TwoSwitches lab;
    lab.fabric.node(lab.hosts[1]).description =
        "a description that is as long as the sixty-four octets allow it";
    lab.fabric.start_sm({lab.hosts[0], 1}, 10);
    const auto walk = value(lab.walk({lab.hosts[2], 1}));
    const auto text = render_text(walk);
    std::size_t longest = 0;
    for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
        longest = std::max(longest, end - at);
    EXPECT_LE(longest, 80u) << text;
    for (const auto* name :
         {"pve1 mlx4_0", "a description", "pve3 mlx4_0", "pve4 mlx4_0", "old-qdr", "sx6036"})
        EXPECT_NE(text.find(name), std::string::npos) << name << "\n" << text;
    EXPECT_NE(text.find("! MTU 2048: old-qdr-switch"), std::string::npos) << text;
}

TEST(Walk, DotQuotesWhatADescriptionMayHold) {
    TwoSwitches lab;
    lab.fabric.node(lab.hosts[1]).description = "a \"quoted\" \\ name";
    const auto dot = render_dot(value(lab.walk({lab.hosts[0], 1})));
    EXPECT_NE(dot.find(R"([label="a \"quoted\" \\ name")"), std::string::npos) << dot;
    EXPECT_EQ(std::ranges::count(dot, '\n'), 2 + 6 + 10 + 1);
}

}  // namespace
}  // namespace pve_rdma
