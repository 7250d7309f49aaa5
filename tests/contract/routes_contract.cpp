// Routes and rules: their keys, what is refused, what is done already, what a batch leaves behind.
#include <cerrno>

#include <fmt/format.h>

#include "bed.h"

namespace pve_rdma::contract {
namespace {

class Routes : public Contract {
  protected:
    void SetUp() override {
        Contract::SetUp();
        if (IsSkipped()) return;
        bed().add_port("nic0");
        bed().add_port("nic1");
        carry_out({set("nic0", "up", "false", "true"), set("nic1", "up", "false", "true"),
                   add(address("nic0", "192.0.2.1/24")), add(address("nic1", "203.0.113.1/24")),
                   add(address("nic0", "2001:db8::1/64"))});
    }
    // The errno of a refusal.
    int why(const Step& step) {
        const auto failures = kernel().carry_out(std::vector{step});
        return failures.empty() ? 0 : failures.front().error.errno_value;
    }
};

TEST_P(Routes, AreReadBackAsTheyWereAsked) {
    RouteEntry rich = route("198.51.100.0/24", "192.0.2.254", "nic0");
    rich.metric = 7;
    rich.table = "300";
    rich.source = IpAddress::parse("192.0.2.1").value();
    rich.mtu = 1400;
    rich.advmss = 1360;
    rich.tos = "0x08";
    RouteEntry direct = route("198.51.101.0/24", "", "nic1"), onlink = route("default", "198.18.0.1", "nic1");
    onlink.onlink = true;
    RouteEntry sink = route("233.252.0.0/24", "", "");
    sink.type = "blackhole";
    RouteEntry v6 = route("2001:db8:5::/48", "2001:db8::2", "nic0"), sink6 = route("2001:db8:6::/48", "", "");
    v6.pref = "high";
    sink6.type = "unreachable";
    for (const auto& entry : {rich, direct, onlink, sink, v6, sink6}) {
        carry_out({add(entry), add(entry)});
        EXPECT_TRUE(holds(read(), entry)) << entry.text();
        carry_out({del(entry), del(entry)});
        EXPECT_FALSE(holds(read(), entry)) << entry.text();
    }
}

TEST_P(Routes, OfIpv6HaveAMetricAlways) {
    carry_out({add(route("2001:db8:5::/48", "2001:db8::2", "nic0"))});
    EXPECT_EQ(read().routes.front().metric, 1024U);
}

TEST_P(Routes, AreReplacedInPlaceAndLeftAloneWhenSomebodyElseChangedThem) {
    for (const bool v6 : {false, true}) {
        RouteEntry first = v6 ? route("2001:db8:5::/48", "2001:db8::2", "nic0")
                              : route("198.51.100.0/24", "192.0.2.254", "nic0");
        RouteEntry second = first, third = first;
        second.via = IpAddress::parse(v6 ? "2001:db8::3" : "192.0.2.253").value();
        third.via = IpAddress::parse(v6 ? "2001:db8::4" : "192.0.2.252").value();
        carry_out({add(first), change(first, second), change(first, second)});
        EXPECT_TRUE(holds(read(), second));
        EXPECT_EQ(refused({change(first, third)}), ErrorCode::conflict);
        EXPECT_EQ(refused({add(first)}), ErrorCode::conflict) << "another one has the key";
        EXPECT_EQ(refused({del(first)}), ErrorCode::conflict);
        EXPECT_TRUE(holds(read(), second));
        EXPECT_EQ(read().routes.size(), 1U) << "nothing was put beside it";
        carry_out({del(second)});
    }
}

TEST_P(Routes, OfOneDestinationDifferByMetricAndAreDeletedByIt) {
    RouteEntry low = route("198.51.100.0/24", "192.0.2.254", "nic0"), high = low;
    low.metric = 5;
    high.metric = 50;
    carry_out({add(low), add(high), del(high)});
    EXPECT_TRUE(holds(read(), low));
    EXPECT_FALSE(holds(read(), high));
}

TEST_P(Routes, WithAnotherKeyAreNoChange) {
    RouteEntry low = route("198.51.100.0/24", "192.0.2.254", "nic0"), high = low;
    high.metric = 50;
    EXPECT_EQ(refused({change(low, high)}), ErrorCode::bad_request);
}

TEST_P(Routes, NeedANeighbourAsGateway) {
    EXPECT_EQ(why(add(route("198.51.100.0/24", "198.18.0.1", "nic0"))), ENETUNREACH);
    EXPECT_EQ(why(add(route("2001:db8:5::/48", "2001:db8:9::1", "nic0"))), EHOSTUNREACH);
    EXPECT_EQ(why(add(route("192.0.2.1/24", "", "nic0"))), EINVAL) << "bits behind the prefix";
    RouteEntry foreign_source = route("198.51.100.0/24", "192.0.2.254", "nic0");
    foreign_source.source = IpAddress::parse("198.18.0.9").value();
    EXPECT_EQ(why(add(foreign_source)), EINVAL);
    EXPECT_EQ(read().routes.size(), 0U);
}

TEST_P(Routes, DoNotStandBesideAConnectedOneOfTheSameMetric) {
    EXPECT_NE(why(add(route("192.0.2.0/24", "", "nic1"))), 0);
    RouteEntry other = route("192.0.2.0/24", "", "nic1");
    other.metric = 3;
    EXPECT_EQ(why(add(other)), 0);
}

TEST_P(Routes, GoWithTheirLinkAndThenAreDone) {
    const RouteEntry through = route("198.51.100.0/24", "203.0.113.254", "nic1");
    carry_out({add(through)});
    EXPECT_EQ(refused({add(route("198.51.100.0/24", "203.0.113.254", "nic9"))}), ErrorCode::not_found);
    carry_out({del(route("198.51.101.0/24", "203.0.113.254", "nic9"))});
}

TEST_P(Routes, ThatFailToComeKeepTheOldOnes) {
    const RouteEntry old = route("198.51.100.0/24", "192.0.2.254", "nic0");
    RouteEntry fine = old, bad = old;
    fine.metric = 10;
    bad.metric = 20;
    bad.via = IpAddress::parse("198.18.0.1").value();
    carry_out({add(old)});
    EXPECT_EQ(refused({add(fine), add(bad), del(old)}, 1), ErrorCode::machine);
    EXPECT_TRUE(holds(read(), old));
    EXPECT_TRUE(holds(read(), fine));
}

TEST_P(Routes, OfThousandsAreAddedAndDeletedAndAddedAgain) {
    std::vector<Step> steps;
    for (int i = 0; i < 3000; ++i)
        steps.push_back(add(route(fmt::format("10.{}.{}.0/24", i / 250, i % 250), "192.0.2.254", "nic0")));
    carry_out(steps);
    EXPECT_EQ(read().routes.size(), 3000U);
    carry_out(steps);
    const auto back = inverse(steps);
    carry_out(back);
    EXPECT_EQ(read().routes.size(), 0U);
    carry_out(back);
}

TEST_P(Routes, AndRulesAreAddedOnceAndDeletedOnce) {
    RuleEntry rule{.priority = 100, .from = IpPrefix::parse("192.0.2.0/24").value(), .table = "300"};
    RuleEntry marked{.priority = 200, .iif = "nic0", .mark = 0x10, .mask = 0xff, .table = "main"};
    RuleEntry v6{.v6 = true, .priority = 7, .to = IpPrefix::parse("2001:db8::/32").value(), .table = "40"};
    for (const auto& entry : {rule, marked, v6}) {
        carry_out({add(entry), add(entry)});
        EXPECT_TRUE(holds(read(), entry)) << entry.text();
        RuleEntry theirs = entry;
        theirs.protocol = "static";
        EXPECT_EQ(refused({add(theirs)}), ErrorCode::conflict);
        EXPECT_EQ(refused({del(theirs)}), ErrorCode::conflict);
        carry_out({change(entry, theirs), change(theirs, entry), del(entry), del(entry)});
        EXPECT_FALSE(holds(read(), entry)) << entry.text();
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Routes, testing::Values("fake", "kernel"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace pve_rdma::contract
