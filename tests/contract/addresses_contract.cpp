// What goes and stays when addresses come and go.
#include "bed.h"

namespace pve_rdma::contract {
namespace {

class Addresses : public Contract {
  protected:
    void SetUp() override {
        Contract::SetUp();
        if (IsSkipped()) return;
        bed().add_port("nic0");
        bed().add_port("nic1");
        carry_out({set("nic0", "up", "false", "true"), set("nic1", "up", "false", "true")});
    }
};

TEST_P(Addresses, AreAddedOnceAndDeletedOnce) {
    AddressEntry entry = address("nic0", "192.0.2.1/24");
    entry.metric = 10;
    entry.protocol = own_route_protocol;
    entry.broadcast = IpAddress::parse("192.0.2.255").value();
    carry_out({add(entry), add(entry)});
    EXPECT_TRUE(holds(read(), entry));
    carry_out({del(entry), del(entry)});
    EXPECT_FALSE(holds(read(), entry));
}

TEST_P(Addresses, OfAnotherOwnerAreAConflict) {
    const AddressEntry theirs = address("nic0", "192.0.2.1/24");
    AddressEntry ours = theirs;
    ours.metric = 5;
    carry_out({add(theirs)});
    EXPECT_EQ(refused({add(ours)}), ErrorCode::conflict);
    EXPECT_EQ(refused({del(ours)}), ErrorCode::conflict);
    EXPECT_TRUE(holds(read(), theirs));
}

TEST_P(Addresses, HaveTheMetricOfTheirConnectedRouteChangedInPlace) {
    for (const std::string text : {"192.0.2.1/24", "2001:db8::1/64"}) {
        const AddressEntry before = address("nic0", text);
        AddressEntry after = before;
        after.metric = 40;
        after.protocol = own_route_protocol;
        const RouteEntry through = text.find(':') == text.npos
                                       ? route("198.51.100.0/24", "192.0.2.254", "nic0")
                                       : route("2001:db8:1::/64", "2001:db8::2", "nic0");
        carry_out({add(before), add(through), change(before, after)});
        EXPECT_TRUE(holds(read(), after)) << text;
        EXPECT_TRUE(holds(read(), through)) << text;
        carry_out({change(after, before)});
        EXPECT_TRUE(holds(read(), before)) << text;
    }
}

TEST_P(Addresses, OfIpv6ChangeTheirLengthByGoingAndComing) {
    const AddressEntry before = address("nic0", "2001:db8::1/64");
    AddressEntry after = before;
    after.length = 48;
    carry_out({add(before), change(before, after)});
    EXPECT_TRUE(holds(read(), after));
    EXPECT_FALSE(holds(read(), before));
}

TEST_P(Addresses, TakeTheRoutesThatNameThemAsSource) {
    const AddressEntry stays = address("nic0", "192.0.2.1/24"), goes = address("nic0", "203.0.113.1/24");
    RouteEntry named = route("198.51.100.0/24", "192.0.2.254", "nic0"), other = named;
    named.source = goes.local;
    other.to = IpPrefix::parse("198.51.101.0/24").value();
    carry_out({add(stays), add(goes), add(named), add(other), del(goes)});
    EXPECT_FALSE(holds(read(), named));
    EXPECT_TRUE(holds(read(), other));
}

TEST_P(Addresses, TakeAllIpv4RoutesOfTheLinkWhenTheLastOneGoes) {
    const AddressEntry last = address("nic0", "192.0.2.1/24"), elsewhere = address("nic1", "203.0.113.1/24");
    const RouteEntry here = route("198.51.100.0/24", "", "nic0"),
                     there = route("198.51.101.0/24", "", "nic1");
    carry_out({add(last), add(elsewhere), add(here), add(there), del(last)});
    EXPECT_FALSE(holds(read(), here));
    EXPECT_TRUE(holds(read(), there));
}

TEST_P(Addresses, KeepStaticRoutesWhoseGatewayIsNoNeighbourAnyMore) {
    const AddressEntry stays = address("nic0", "192.0.2.1/24"), goes = address("nic0", "203.0.113.1/24");
    const RouteEntry through = route("198.51.100.0/24", "203.0.113.254", "nic0");
    carry_out({add(stays), add(goes), add(through), del(goes)});
    EXPECT_TRUE(holds(read(), through));
}

TEST_P(Addresses, TakeTheirSecondariesUnlessThoseArePromoted) {
    const AddressEntry first = address("nic0", "192.0.2.1/24"), second = address("nic0", "192.0.2.2/24");
    carry_out({add(first), add(second), del(first)});
    EXPECT_FALSE(holds(read(), second));
    const SysctlEntry off{"net.ipv4.conf.all.promote_secondaries", "0"}, on{off.name, "1"};
    carry_out({change(off, on), add(first), add(second), del(first)});
    EXPECT_TRUE(holds(read(), second));
}

TEST_P(Addresses, OfALinkThatHasGoneAreNotFoundOrDone) {
    const AddressEntry entry = address("nic9", "192.0.2.1/24");
    EXPECT_EQ(refused({add(entry)}), ErrorCode::not_found);
    carry_out({del(entry)});
}

INSTANTIATE_TEST_SUITE_P(Kernels, Addresses, testing::Values("fake", "kernel"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace pve_rdma::contract
