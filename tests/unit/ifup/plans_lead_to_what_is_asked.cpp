// From options and the kernel's state to messages: nothing where nothing differs, new before old, ours only.
#include <linux/rtnetlink.h>

#include <gtest/gtest.h>

#include "ifup/plan.h"
#include "ifup/virtual_functions.h"

namespace pve_rdma::ifup {
namespace {

Wishes wishes(const std::string& options) {
    const auto view = eni::view_of("iface eth0 inet static\n" + options, "/etc/network/interfaces");
    EXPECT_TRUE(view);
    return wishes_of(*view, "eth0");
}

RouteEntry route(const std::string& value) {
    const auto parsed = parse_route(value);
    EXPECT_TRUE(parsed) << value;
    return *parsed;
}

RuleEntry rule(const std::string& value) {
    const auto parsed = parse_rule(value);
    EXPECT_TRUE(parsed) << value;
    return *parsed;
}

std::vector<std::string> words(const Plan& plan) {
    std::vector<std::string> words;
    for (const auto& message : plan)
        words.push_back(message.what);
    return words;
}
using Lines = std::vector<std::string>;

std::uint16_t flags_of(const Message& message) {
    nlmsghdr header{};
    std::memcpy(&header, message.request.bytes().data(), sizeof header);
    return header.nlmsg_flags;
}

const LinkState eth0{.index = 7, .name = "eth0"};
const LinkState ib0{.index = 3,
                    .name = "ib0",
                    .kind = "ipoib",
                    .infiniband = true,
                    .up = true,
                    .mtu = 2044,
                    .pkey = 0xffff,
                    .mode = IpoibMode::datagram};

AddressState address(const std::string& text, std::uint8_t length, std::uint32_t metric,
                     std::uint8_t protocol) {
    return {.address = {*IpAddress::parse(text), length}, .metric = metric, .protocol = protocol};
}

TEST(RoutePlan, NothingWhereNothingDiffers) {
    const auto asked =
        wishes("rdma-route default via 192.0.2.1 metric 1000\nrdma-route 2001:db8::/64 metric 7\n");
    const InterfaceState state{
        .routes = {route("2001:db8::/64 metric 7"), route("default via 192.0.2.1 metric 1000")}};
    EXPECT_TRUE(plan_routes(eth0, asked, state).empty());
}

TEST(RoutePlan, AChangedMetricComesBeforeTheOldOneGoes) {
    const auto asked = wishes("rdma-route default via 192.0.2.1 metric 50\n");
    const auto plan = plan_routes(eth0, asked, {.routes = {route("default via 192.0.2.1 metric 60")}});
    EXPECT_EQ(words(plan), (Lines{"add the route default via 192.0.2.1 metric 50",
                                  "delete the route default via 192.0.2.1 metric 60"}));
    EXPECT_EQ(plan[0].origin.line, 2);
    EXPECT_EQ(flags_of(plan[0]), NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL);
}

TEST(RoutePlan, AnotherGatewayAtTheSameMetricIsOneMessage) {
    const auto asked = wishes("rdma-route 198.51.100.0/24 via 192.0.2.2 metric 5\n");
    const auto plan = plan_routes(eth0, asked, {.routes = {route("198.51.100.0/24 via 192.0.2.1 metric 5")}});
    EXPECT_EQ(words(plan), (Lines{"replace the route 198.51.100.0/24 via 192.0.2.2 metric 5"}));
    EXPECT_EQ(flags_of(plan[0]), NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_REPLACE);
}

TEST(RoutePlan, NeighboursComeBeforeGateways) {
    const auto asked = wishes("rdma-route default via 203.0.113.1\nrdma-route 203.0.113.0/24\n");
    EXPECT_EQ(words(plan_routes(eth0, asked, {})),
              (Lines{"add the route 203.0.113.0/24", "add the route default via 203.0.113.1"}));
}

TEST(RoutePlan, AFamilyWhoseAddressesAreStillToComeWaits) {
    const auto asked = wishes(
        "address 192.0.2.5/24\naddress 2001:db8::5/64\n"
        "rdma-route default via 192.0.2.1\nrdma-route default via 2001:db8::1\n");
    const InterfaceState before{.addresses = {address("192.0.2.5", 24, 0, 0)}};
    EXPECT_EQ(words(plan_routes(eth0, asked, before)), (Lines{"add the route default via 192.0.2.1"}));
}

TEST(RulePlan, RulesOfOtherInterfacesStay) {
    const auto asked = wishes("rdma-rule from 192.0.2.5 priority 100 table 40\n");
    const auto plan = plan_rules(
        asked.rules, {rule("from 192.0.2.6 priority 101 table 41")},
        {rule("from 192.0.2.6 priority 101 table 41"), rule("from 192.0.2.7 priority 102 table 42")});
    EXPECT_EQ(words(plan), (Lines{"add the rule from 192.0.2.5 priority 100 table 40",
                                  "delete the rule from 192.0.2.7 priority 102 table 42"}));
    EXPECT_TRUE(plan_rules(asked.rules, {}, {asked.rules[0].value}).empty());
}

TEST(MetricPlan, AddressesAreSentAgainOnceAndGivenBack) {
    const auto asked = wishes("rdma-metric 1000\n");
    EXPECT_EQ(words(plan_metric(eth0, asked, {address("192.0.2.5", 24, 0, 0)})),
              (Lines{"give the connected route of 192.0.2.5/24 on eth0 metric 1000"}));
    EXPECT_TRUE(plan_metric(eth0, asked, {address("192.0.2.5", 24, 1000, own_protocol)}).empty());
    EXPECT_EQ(words(plan_metric(eth0, {}, {address("192.0.2.5", 24, 1000, own_protocol)})),
              (Lines{"give the connected route of 192.0.2.5/24 on eth0 metric 0"}));
    EXPECT_TRUE(plan_metric(eth0, {}, {address("192.0.2.5", 24, 1000, 0)}).empty()) << "it is not ours";
}

TEST(ChildPlan, IsMadeOnceAndAnewForAnotherPKey) {
    const auto asked = wishes("ib-parent ib0\nib-pkey 0x8001\nib-mode connected\n");
    EXPECT_EQ(words(plan_child("eth0", asked, {}, ib0).value()),
              (Lines{"create eth0, a child of ib0 for 0x8001"}));
    LinkState child{
        .index = 9, .name = "eth0", .kind = "ipoib", .infiniband = true, .parent = 3, .pkey = 0x8001};
    EXPECT_TRUE(plan_child("eth0", asked, child, ib0)->empty());
    child.pkey = 0x8002;
    EXPECT_EQ(
        words(plan_child("eth0", asked, child, ib0).value()),
        (Lines{"delete eth0, a child of another port or P_Key", "create eth0, a child of ib0 for 0x8001"}));
}

TEST(ChildPlan, NoneOnABondBecauseTheKernelCrashes) {
    const auto asked = wishes("ib-parent bond0\nib-pkey 0x8001\n");
    const auto plan =
        plan_child("eth0", asked, {}, LinkState{.index = 4, .kind = "bond", .infiniband = true});
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().line, 2);
    EXPECT_FALSE(plan_child("eth0", asked, {}, std::nullopt));
    EXPECT_FALSE(plan_child("eth0", wishes("ib-parent ib0\n"), {}, ib0)) << "no P_Key";
    EXPECT_FALSE(plan_child("eth0", asked, eth0, ib0)) << "a card's name is taken";
}

TEST(ChildPlan, APortIsNeverDeleted) {
    EXPECT_TRUE(plan_child_removal(ib0).empty());
    EXPECT_TRUE(plan_child_removal(eth0).empty());
}

TEST(ModePlan, ModeAndMtuOnlyWhereTheyDiffer) {
    const auto asked = wishes("ib-mode connected\nmtu 65520\n");
    EXPECT_EQ(words(plan_mode(ib0, asked)), (Lines{"set connected mode of ib0"}));
    EXPECT_EQ(words(plan_mtu(ib0, asked)), (Lines{"set mtu 65520 of ib0"}));
    EXPECT_TRUE(plan_mtu(eth0, asked).empty()) << "an Ethernet card's MTU is ifupdown's";
    LinkState now = ib0;
    now.mode = IpoibMode::connected;
    now.mtu = 65520;
    EXPECT_TRUE(plan_mode(now, asked).empty() && plan_mtu(now, asked).empty());
}

TEST(Wishes, ValuesThatCannotBeReadSayWhere) {
    const auto asked = wishes(
        "ib-mode connected; reboot\nrdma-route 192.0.2.1/24\nrdma-route default dev eth1\n"
        "rdma-rule from 192.0.2.5\nrdma-metric $(id)\nib-pkey 0x8000\n");
    EXPECT_TRUE(asked.routes.empty() && asked.rules.empty() && !asked.mode && !asked.metric && !asked.pkey);
    ASSERT_EQ(asked.errors.size(), 6u);
    for (const auto& error : asked.errors) {
        EXPECT_EQ(error.file, "/etc/network/interfaces");
        EXPECT_GT(error.line, 1);
        EXPECT_EQ(error.code == ErrorCode::bad_request || error.code == ErrorCode::malformed, true);
    }
}

TEST(Wishes, ValuesThatCannotBeReadAreFindings) {
    const auto view =
        eni::view_of("iface ib0 inet static\n\tib-mode connecte\niface eth0\n\trdma-metric 5\n", "f");
    const auto findings = check_wishes(*view);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].id, "option-value");
    EXPECT_EQ(findings[0].line, 2);
}

const std::string heirs =
    "iface fabric inet static\n\tib-mode connected\n\tmtu 65520\n\trdma-route 192.0.2.0/24 metric 5\n"
    "iface base inet manual inherits fabric\n\trdma-metric 7\n"
    "iface ib0 inet static inherits base\n\taddress 198.51.100.1/24\n\trdma-route 203.0.113.0/24 metric 6\n"
    "iface ib1 inet6 static inherits fabric\n"
    "iface ib2 inherits later\n"
    "iface later inet static\n\tib-mode datagram\n";

TEST(Wishes, InheritedOptionsStandBeforeTheOwnOnesUnderIfupdown) {
    const auto view = eni::view_of(heirs, "f");
    const auto asked = wishes_of(*view, "ib0");
    EXPECT_EQ(asked.mode->value, IpoibMode::connected);
    EXPECT_EQ(asked.mode->origin.line, 2);
    EXPECT_EQ(asked.mtu->value, 65520u);
    EXPECT_EQ(asked.metric->value, 7u);
    ASSERT_EQ(asked.routes.size(), 2u);
    EXPECT_EQ(asked.routes[0].value.metric, 5u);
    EXPECT_EQ(asked.routes[1].value.metric, 6u);
    EXPECT_FALSE(wishes_of(*view, "ib1").mode) << "the stanza is of another family";
    EXPECT_FALSE(wishes_of(*view, "ib2").mode) << "the stanza comes later";
}

TEST(Wishes, Ifupdown2DoesNotFollowInherits) {
    const auto view = eni::view_of(heirs, "f");
    const auto asked = wishes_of(*view, "ib0", Inherits::not_followed);
    EXPECT_FALSE(asked.mode || asked.mtu || asked.metric);
    EXPECT_EQ(asked.routes.size(), 1u);
}

TEST(Wishes, AnInheritedValueThatCannotBeReadIsOneFinding) {
    const auto view = eni::view_of(
        "iface base inet manual\n\tib-mode fast\niface ib0 inet manual inherits base\n"
        "iface ib1 inet manual inherits base\n",
        "f");
    EXPECT_EQ(check_wishes(*view).size(), 1u);
    EXPECT_EQ(wishes_of(*view, "ib1").errors.size(), 1u);
}

TEST(VirtualFunctions, AreMadeButNeverTakenAway) {
    EXPECT_EQ(virtual_functions_missing(4, 0, 8), true);
    EXPECT_EQ(virtual_functions_missing(4, 4, 8), false);
    EXPECT_FALSE(virtual_functions_missing(9, 0, 8));
    EXPECT_FALSE(virtual_functions_missing(2, 4, 8));
    EXPECT_FALSE(virtual_functions_missing(0, 4, 8));
}

TEST(Wishes, RoutesAndRulesReadTheWayTheyAreWritten) {
    for (const char* value :
         {"default via 192.0.2.1 metric 5", "192.0.2.0/24 src 192.0.2.5 table 40 mtu 9000",
          "198.51.100.7 via 192.0.2.1 onlink", "2001:db8::/32 via fe80::1 metric 7"})
        EXPECT_EQ(route(value).text(), value);
    EXPECT_EQ(route("default via fe80::1").text(), "::/0 via fe80::1 metric 1024");
    for (const char* value :
         {"from 192.0.2.5 priority 100 table 40", "inet6 to 2001:db8::/32 priority 0 table 254",
          "iif eth0 fwmark 0x1/0xff priority 7 table 300"})
        EXPECT_EQ(rule(value).text(), value);
    for (const char* bad : {"", "192.0.2.0/24 via", "192.0.2.0/24 via 2001:db8::1", "default metric -1",
                            "192.0.2.0/24 onlink", "192.0.2.0/33"})
        EXPECT_FALSE(parse_route(bad)) << bad;
    for (const char* bad : {"", "from 192.0.2.5 to 2001:db8::1 priority 1 table 2", "priority 1 table 0",
                            "iif a/b priority 1 table 2", "from 192.0.2.5 table 40"})
        EXPECT_FALSE(parse_rule(bad)) << bad;
}

}  // namespace
}  // namespace pve_rdma::ifup
