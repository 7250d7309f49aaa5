// Each verdict in words: numbers and names in it, and what to do.
#include "path/mtu_words.h"

#include <gtest/gtest.h>

namespace pve_rdma {
namespace {

MtuPeer explained(MtuProbe probe,
                  std::optional<MtuChain> chain = MtuChain{
                      .link = "vmbr1", .addresses = {"192.0.2.1/24"}, .sent = 9000, .mtu = 9000}) {
    MtuPeer peer{.address = "192.0.2.2", .chain = std::move(chain), .probe = std::move(probe)};
    explain(peer);
    return peer;
}

bool says(const MtuPeer& peer, std::string_view words) {
    return peer.message.find(words) != std::string::npos;
}

const IpAddress router = IpAddress::parse("203.0.113.1").value();

TEST(MtuWords, NameTheRouterAndItsMtu) {
    const auto peer = explained({.verdict = "router",
                                 .wanted = 9000,
                                 .reached = 1500,
                                 .fails_at = 1501,
                                 .router = router,
                                 .router_mtu = 1500});
    EXPECT_EQ(peer.message,
              "9000 is too large: router 203.0.113.1 passes on no more than 1500; 1500 reaches the peer");
    EXPECT_TRUE(peer.remedy);
    EXPECT_TRUE(says(explained({.verdict = "router", .wanted = 9000, .reached = 1006, .router = router}),
                     "names no MTU; 1006 reaches"));
}

TEST(MtuWords, TellABlackholeFromNoAnswer) {
    EXPECT_TRUE(
        says(explained({.verdict = "blackhole", .wanted = 9000, .reached = 1500}), "blackhole above 1500"));
    EXPECT_TRUE(
        says(explained({.verdict = "no_answer", .wanted = 9000, .requests = 4}), "nothing about the MTU"));
}

TEST(MtuWords, AHopOfThisNodeExplainsItsBlackhole) {
    const MtuChain chain{
        .link = "vmbr1", .sent = 9000, .mtu = 1500, .smallest = "ens19", .remedy = "raise the MTU of ens19"};
    for (const std::uint32_t reached : {1500u, 1504u}) {
        const auto peer = explained({.verdict = "blackhole", .wanted = 9000, .reached = reached}, chain);
        EXPECT_TRUE(says(peer, "ens19 on this node is the reason"));
        EXPECT_EQ(peer.remedy, "raise the MTU of ens19");
    }
    for (const std::uint32_t reached : {1400u, 1505u})
        EXPECT_FALSE(says(explained({.verdict = "blackhole", .reached = reached}, chain), "on this node"));
}

TEST(MtuWords, AMissingNeighbourIsNotARouter) {
    const Unread refusal{.error = "EHOSTUNREACH", .text = "192.0.2.2: cannot be reached"};
    const auto own = explained(
        {.verdict = "unreachable", .router = IpAddress::parse("192.0.2.1").value(), .refusal = refusal});
    EXPECT_TRUE(says(own, "nobody on vmbr1 has the address 192.0.2.2"));
    EXPECT_TRUE(says(explained({.verdict = "unreachable", .router = router, .refusal = refusal}),
                     "router 203.0.113.1"));
    const auto no_route =
        explained({.verdict = "unreachable", .refusal = Unread{.text = "no route", .hint = "add"}}, {});
    EXPECT_EQ(no_route.message, "no route");
    EXPECT_EQ(no_route.remedy, "add");
}

TEST(MtuWords, WhatIsUnsureSaysWhatIsKnown) {
    const auto lossy = explained(
        {.verdict = "unsure", .wanted = 9000, .reached = 1500, .fails_at = 1501, .requests = 40, .lost = 9});
    EXPECT_EQ(lossy.message, "unsure: 1500 reaches the peer, 1501 did not; 9 of 40 requests were lost");
    EXPECT_TRUE(says(explained({.verdict = "unsure"}), "time was up"));
    EXPECT_TRUE(
        says(explained({.verdict = "own_link", .wanted = 1500, .reached = 1446}), "no more than 1446"));
}

TEST(MtuWords, AnOldPathMtuThatIsStillKeptIsTold) {
    MtuPeer peer{.address = "192.0.2.2",
                 .route = Route{},
                 .probe = {.verdict = "passes", .wanted = 9000, .reached = 9000}};
    explain(peer);
    EXPECT_EQ(peer.message, "9000 reaches the peer in one piece");
    EXPECT_FALSE(peer.remedy);
    peer.route->metrics.emplace().mtu = 1500;
    peer.route->expires = 300;
    explain(peer);
    EXPECT_TRUE(says(peer, "a router said 1500 earlier"));
    EXPECT_TRUE(peer.remedy);
}

}  // namespace
}  // namespace pve_rdma
