// The search for the largest packet, over paths made up by a test. tests/differential/test_netns_mtu.py holds
// the same against the kernel.
#include "observe/mtu_probe.h"

#include <gtest/gtest.h>

#include "echo_fake.h"

namespace pve_rdma {
namespace {

using test::FakePath;
using test::FakePeer;

constexpr const char* peer_v4 = "192.0.2.2";
constexpr const char* peer_v6 = "2001:db8::2";

MtuTarget target(const std::string& address, std::uint32_t largest) {
    return {{.address = IpAddress::parse(address).value()}, largest};
}

MtuProbe probe(const FakePeer& peer, std::uint32_t largest = 9000, const std::string& address = peer_v4) {
    FakePath path;
    path.peers[address] = peer;
    return probe_mtus(path, {target(address, largest)}, {}).at(0);
}

TEST(MtuProbe, ASizeThatPassesTakesTwoRequests) {
    for (const auto* address : {peer_v4, peer_v6}) {
        const auto found = probe({.hops = {{.mtu = 9000}}}, 9000, address);
        EXPECT_EQ(found.verdict, "passes");
        EXPECT_EQ(found.reached, 9000u);
        EXPECT_EQ(found.requests, 2u);
        EXPECT_EQ(found.lost, 0u);
        EXPECT_FALSE(found.fails_at);
        EXPECT_DOUBLE_EQ(found.rtt_ms.value(), 1.0);
    }
}

TEST(MtuProbe, ARouterThatNamesItsMtuIsNamed) {
    const auto found = probe({.hops = {{.mtu = 9000},
                                       {.mtu = 1500, .address = "203.0.113.1"},
                                       {.mtu = 1400, .address = "203.0.113.2"}}});
    EXPECT_EQ(found.verdict, "router");
    EXPECT_EQ(found.router->text(), "203.0.113.2");
    EXPECT_EQ(found.router_mtu, 1400u);
    EXPECT_EQ(found.reached, 1400u);
    EXPECT_EQ(found.fails_at, 1401u);
    EXPECT_LE(found.requests, 5u);
}

TEST(MtuProbe, ARouterThatNamesNoMtuIsSearchedOut) {
    const auto found = probe({.hops = {{.mtu = 1006, .address = "203.0.113.1", .names_mtu = false}}});
    EXPECT_EQ(found.verdict, "router");
    EXPECT_EQ(found.router->text(), "203.0.113.1");
    EXPECT_FALSE(found.router_mtu);
    EXPECT_EQ(found.reached, 1006u);
}

TEST(MtuProbe, ASilentHopIsABlackholeWithItsExactSize) {
    for (const std::uint32_t mtu : {85u, 576u, 1280u, 1281u, 1450u, 1499u, 1500u, 1501u, 2044u, 4092u, 8999u})
        for (const auto* address : {peer_v4, peer_v6}) {
            if (mtu < 104 && address == peer_v6) continue;
            const auto found = probe({.hops = {{.mtu = mtu, .speaks = false}}}, 9000, address);
            EXPECT_EQ(found.verdict, "blackhole") << mtu;
            EXPECT_EQ(found.reached, mtu);
            EXPECT_EQ(found.fails_at, mtu + 1);
            EXPECT_LE(found.requests, 70u) << mtu;
        }
}

TEST(MtuProbe, AUsualSizeIsFoundInFewRequests) {
    EXPECT_LE(probe({.hops = {{.mtu = 1500, .speaks = false}}}).requests, 22u);
    EXPECT_LE(probe({.hops = {{.mtu = 1500, .speaks = false}}}, 65520).requests, 26u);
}

TEST(MtuProbe, ASilentHopBehindARouterIsTheBlackholeAndTheRouterIsToldToo) {
    const auto found =
        probe({.hops = {{.mtu = 4000, .address = "203.0.113.1"}, {.mtu = 1500, .speaks = false}}});
    EXPECT_EQ(found.verdict, "blackhole");
    EXPECT_EQ(found.reached, 1500u);
    EXPECT_EQ(found.router_mtu, 4000u);
}

TEST(MtuProbe, APeerThatAnswersNothingSaysNothingOfTheMtu) {
    const auto found = probe({.hops = {{.mtu = 1500, .speaks = false}}, .answers = false});
    EXPECT_EQ(found.verdict, "no_answer");
    EXPECT_FALSE(found.reached);
    EXPECT_FALSE(found.router);
    EXPECT_EQ(found.requests, 4u);
}

TEST(MtuProbe, TheOwnLinksLimitIsNotTheNetworks) {
    const auto found = probe({.hops = {{.mtu = 9000}}, .own_link = 1446});
    EXPECT_EQ(found.verdict, "own_link");
    EXPECT_EQ(found.reached, 1446u);
    const auto nothing = probe({.own_link = 50});
    EXPECT_EQ(nothing.verdict, "own_link");
    EXPECT_FALSE(nothing.reached);
}

TEST(MtuProbe, AnIcmpErrorNamesWhoRefuses) {
    const auto found = probe({.icmp_errno = EHOSTUNREACH});
    EXPECT_EQ(found.verdict, "unreachable");
    EXPECT_EQ(found.router->text(), "203.0.113.9");
    EXPECT_EQ(found.refusal->error, "EHOSTUNREACH");
}

TEST(MtuProbe, ARequestThatCannotBeSentIsARefusalOfThisNode) {
    const auto found = probe({.send_errno = EPERM});
    EXPECT_EQ(found.verdict, "unreachable");
    EXPECT_FALSE(found.router);
    EXPECT_EQ(found.refusal->error, "EPERM");
}

TEST(MtuProbe, LossIsNotTakenForAnMtu) {
    int settled = 0;
    for (const double loss : {0.05, 0.1, 0.2, 0.3, 0.5})
        for (const std::uint32_t mtu : {1500u, 3000u, 9000u})
            for (const bool speaks : {false, true}) {
                FakePath path;
                std::vector<MtuTarget> targets;
                for (int n = 1; n <= 40; ++n) {
                    const std::string address = "192.0.2." + std::to_string(n);
                    path.peers[address] = {.hops = {{.mtu = mtu, .speaks = speaks, .address = "203.0.113.1"}},
                                           .loss = loss};
                    targets.push_back(target(address, 9000));
                }
                for (const auto& found : probe_mtus(path, targets, {.deadline_ms = 300'000})) {
                    if (found.verdict == "unsure" || found.verdict == "no_answer") continue;
                    ++settled;
                    EXPECT_EQ(found.reached, mtu) << found.verdict << " with a loss of " << loss;
                    EXPECT_EQ(found.verdict, mtu == 9000 ? "passes" : speaks ? "router" : "blackhole");
                }
            }
    EXPECT_GT(settled, 1000);
}

TEST(MtuProbe, HeavyLossIsUnsureOrNoAnswer) {
    FakePath path;
    std::vector<MtuTarget> targets;
    for (int n = 1; n <= 100; ++n) {
        const std::string address = "192.0.2." + std::to_string(n);
        path.peers[address] = {.hops = {{.mtu = 1500, .speaks = false}}, .loss = 0.85};
        targets.push_back(target(address, 9000));
    }
    for (const auto& found : probe_mtus(path, targets, {.deadline_ms = 600'000}))
        EXPECT_TRUE(found.verdict == "unsure" || found.verdict == "no_answer") << found.verdict;
}

TEST(MtuProbe, ALateAnswerCounts) {
    const auto found = probe({.hops = {{.mtu = 9000}}, .delay = std::chrono::milliseconds(900)});
    EXPECT_EQ(found.verdict, "passes");
    EXPECT_GE(found.answers, 2u);
}

TEST(MtuProbe, TheDeadlineHoldsAndSaysUnsure) {
    FakePath path;
    path.peers[peer_v4] = {.hops = {{.mtu = 3000, .speaks = false}}, .delay = std::chrono::milliseconds(400)};
    const auto found = probe_mtus(path, {target(peer_v4, 9000)}, {.deadline_ms = 3000}).at(0);
    EXPECT_EQ(found.verdict, "unsure");
    EXPECT_GT(found.reached, 0u);
    EXPECT_LE(path.now().time_since_epoch(), std::chrono::milliseconds(3001));
}

TEST(MtuProbe, AThousandPeersShareOneLoopAndItsRoom) {
    FakePath path;
    path.room = 300;
    std::vector<MtuTarget> targets;
    for (int n = 0; n < 1000; ++n) {
        const std::string address = "10.0." + std::to_string(n / 250) + "." + std::to_string(n % 250 + 1);
        if (n % 5) path.peers[address] = {.hops = {{.mtu = n % 2 ? 1500u : 9000u, .speaks = false}}};
        targets.push_back(target(address, 9000));
    }
    const auto results = probe_mtus(path, targets, {.deadline_ms = 120'000});
    ASSERT_EQ(results.size(), 1000u);
    for (int n = 0; n < 1000; ++n) {
        const auto& found = results[static_cast<std::size_t>(n)];
        EXPECT_EQ(found.verdict, n % 5 == 0 ? "no_answer" : n % 2 ? "blackhole" : "passes") << n;
    }
    EXPECT_LE(path.on_the_way_most, 256u);
}

TEST(MtuProbe, NoTargetsNoResults) {
    FakePath path;
    EXPECT_TRUE(probe_mtus(path, {}, {}).empty());
    EXPECT_EQ(path.requests, 0u);
}

TEST(MtuProbe, AnMtuBelowTheSmallRequestIsTheFirstSizeTried) {
    const auto found = probe({.hops = {{.mtu = 68}}}, 68);
    EXPECT_EQ(found.verdict, "passes");
    EXPECT_EQ(found.reached, 68u);
}

}  // namespace
}  // namespace pve_rdma
