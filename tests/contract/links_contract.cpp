// Links: what is made and deleted, what a setting drags along.
#include "bed.h"
#include "network/settings.h"

namespace pve_rdma::contract {
namespace {

class Links : public Contract {
  protected:
    void SetUp() override {
        Contract::SetUp();
        if (IsSkipped()) return;
        bed().add_port("nic0");
        bed().add_port("nic1");
    }
    std::string value(const std::string& link, const std::string& key) {
        const Network now = read();
        const Link* found = now.find(link);
        return found ? SettingKey(key).read(*found).value_or("-") : "no link";
    }
    LinkEntry entry(const std::string& link) {
        const Network now = read();
        const Link* found = now.find(link);
        const auto made = found ? link_entry(*found) : std::nullopt;
        EXPECT_TRUE(made) << link;
        return made.value_or(LinkEntry{});
    }
    int why(const Step& step) {
        const auto failures = kernel().carry_out(std::vector{step});
        return failures.empty() ? 0 : failures.front().error.errno_value;
    }
};

const LinkEntry bridge{.name = "vmbr7", .kind = "bridge", .settings = {{"bridge.stp", "true"}}};
const LinkEntry bond{
    .name = "bond7", .kind = "bond", .settings = {{"bond.mode", "active-backup"}, {"bond.miimon", "100"}}};
const LinkEntry vlan{.name = "nic0.42", .kind = "vlan", .parent = "nic0", .id = 42};

TEST_P(Links, AreMadeOnceAndDeletedOnce) {
    carry_out({make(bridge), make(bridge)});
    EXPECT_EQ(value("vmbr7", "bridge.stp"), "true");
    LinkEntry other = bridge;
    other.settings = {{"bridge.stp", "false"}};
    EXPECT_EQ(refused({make(other)}), ErrorCode::conflict);
    EXPECT_EQ(refused({make({.name = "nic0", .kind = "bridge"})}), ErrorCode::conflict);
    carry_out({remove(bridge), remove(bridge)});
    EXPECT_EQ(value("vmbr7", "mtu"), "no link");
}

TEST_P(Links, AreMadeAgainWithAllTheirSettings) {
    carry_out({make(bridge)});
    const auto before = entry("vmbr7");
    carry_out({remove(before), make(before)});
    EXPECT_EQ(entry("vmbr7"), before);
    EXPECT_EQ(value("vmbr7", "bridge.stp"), "true");
}

TEST_P(Links, HaveSettingsThatAreSetOnceAndNotOverSomebodyElses) {
    carry_out({set("nic0", "mtu", "1500", "9000"), set("nic0", "mtu", "1500", "9000"),
               set("nic0", "alias", "", "storage")});
    EXPECT_EQ(value("nic0", "mtu"), "9000");
    EXPECT_EQ(value("nic0", "alias"), "storage");
    carry_out({set("nic0", "alias", "storage", "")});
    EXPECT_EQ(value("nic0", "alias"), "");
    EXPECT_EQ(refused({set("nic0", "mtu", "1500", "4000")}), ErrorCode::conflict);
    EXPECT_EQ(refused({set("nic9", "mtu", "1500", "4000")}), ErrorCode::not_found);
    EXPECT_EQ(refused({set("nic0", "bond.miimon", "0", "100")}), ErrorCode::unavailable);
    EXPECT_EQ(refused({set("nic0", "mtu", "9000", "70000")}), ErrorCode::machine);
}

TEST_P(Links, KeepAddressesAndRoutesWhenTheyEnterABridge) {
    const AddressEntry own = address("nic0", "192.0.2.1/24");
    const RouteEntry through = route("198.51.100.0/24", "192.0.2.254", "nic0");
    carry_out({make(bridge), set("nic0", "up", "false", "true"), add(own), add(through),
               set("nic0", "master", "", "vmbr7")});
    EXPECT_TRUE(holds(read(), own) && holds(read(), through));
    EXPECT_EQ(value("nic0", "master"), "vmbr7");
    carry_out({set("nic0", "master", "vmbr7", "")});
    EXPECT_EQ(value("nic0", "master"), "");
    EXPECT_TRUE(holds(read(), own) && holds(read(), through));
}

TEST_P(Links, ThatGoDownLoseRoutesAndIpv6) {
    const AddressEntry v4 = address("nic0", "192.0.2.1/24"), v6 = address("nic0", "2001:db8::1/64");
    const RouteEntry r4 = route("198.51.100.0/24", "192.0.2.254", "nic0"),
                     r6 = route("2001:db8:5::/48", "2001:db8::2", "nic0");
    carry_out({set("nic0", "up", "false", "true"), add(v4), add(v6), add(r4), add(r6),
               set("nic0", "up", "true", "false")});
    Network now = read();
    EXPECT_TRUE(holds(now, v4));
    EXPECT_FALSE(holds(now, v6) || holds(now, r4) || holds(now, r6));
    carry_out({set("nic0", "up", "false", "true")});
    now = read();
    EXPECT_FALSE(holds(now, v6) || holds(now, r4)) << "static ones do not come back";
}

TEST_P(Links, LoseIpv6BelowItsSmallestMtu) {
    const AddressEntry v4 = address("nic0", "192.0.2.1/24"), v6 = address("nic0", "2001:db8::1/64");
    carry_out({set("nic0", "up", "false", "true"), add(v4), add(v6), set("nic0", "mtu", "1500", "1279")});
    EXPECT_TRUE(holds(read(), v4));
    EXPECT_FALSE(holds(read(), v6));
    EXPECT_NE(why(add(v6)), 0);
    carry_out({set("nic0", "mtu", "1279", "1280")});
    EXPECT_FALSE(holds(read(), v6));
}

TEST_P(Links, OfABridgeLeadItsMtuUntilItIsSet) {
    carry_out({make(bridge), set("nic0", "mtu", "1500", "9000"), set("nic0", "master", "", "vmbr7")});
    EXPECT_EQ(value("vmbr7", "mtu"), "9000");
    carry_out({set("nic1", "master", "", "vmbr7")});
    EXPECT_EQ(value("vmbr7", "mtu"), "1500") << "the lowest";
    carry_out({set("vmbr7", "mtu", "1500", "9000")});
    carry_out({set("nic1", "mtu", "1500", "4000")});
    EXPECT_EQ(value("vmbr7", "mtu"), "9000") << "never again";
}

TEST_P(Links, OfABridgeCarryItsVlansUntilTheyLeave) {
    NEEDS_KIND("vlan_aware");
    const LinkEntry aware{.name = "vmbr7", .kind = "bridge", .settings = {{"bridge.vlan_aware", "true"}}};
    carry_out({make(aware), set("nic0", "master", "", "vmbr7")});
    EXPECT_EQ(value("nic0", "vlans"), "1 pvid untagged");
    carry_out({set("nic0", "vlans", "1 pvid untagged", "1 pvid untagged,2-4094")});
    carry_out({set("nic0", "vlans", "1 pvid untagged,2-4094", "5,7 pvid untagged,100-200,300 untagged")});
    EXPECT_EQ(value("nic0", "vlans"), "5,7 pvid untagged,100-200,300 untagged");
    carry_out({set("nic0", "master", "vmbr7", ""), set("nic0", "master", "", "vmbr7")});
    EXPECT_EQ(value("nic0", "vlans"), "1 pvid untagged") << "they are the bridge's";
    carry_out({set("nic0", "vlans", "1 pvid untagged", "none")});
    EXPECT_EQ(value("nic0", "vlans"), "none");
}

TEST_P(Links, ThatAreDeletedTakeWhatIsOnThem) {
    const AddressEntry own = address("vmbr7", "192.0.2.1/24");
    const RouteEntry through = route("198.51.100.0/24", "192.0.2.254", "vmbr7");
    carry_out({make(bridge), set("vmbr7", "up", "false", "true"), set("nic0", "master", "", "vmbr7"),
               add(own), add(through), remove(bridge)});
    EXPECT_FALSE(holds(read(), own) || holds(read(), through));
    EXPECT_EQ(value("nic0", "master"), "");
}

TEST_P(Links, OfGuestsAreLeftAlone) {
    carry_out({make(bridge)});
    bed().add_port("tap100i0");
    EXPECT_EQ(refused({set("tap100i0", "master", "", "vmbr7")}), ErrorCode::conflict);
    const LinkEntry like_a_guest{.name = "fwbr100i0", .kind = "bridge"};
    carry_out({make(like_a_guest)});
    EXPECT_EQ(refused({remove(like_a_guest)}), ErrorCode::conflict);
}

TEST_P(Links, HavePkeyChildrenOnlyWhereTheyAreIpoibPorts) {
    EXPECT_EQ(refused({make({.name = "child", .kind = "ipoib", .parent = "nic0", .pkey = "0x8001"})}),
              ErrorCode::bad_request);
}

TEST_P(Links, OfVlansStayBelowTheMtuOfTheirParentAndGoDownWithIt) {
    NEEDS_KIND("vlan");
    carry_out(
        {set("nic0", "up", "false", "true"), make(vlan), make(vlan), set("nic0.42", "up", "false", "true")});
    EXPECT_NE(why(set("nic0.42", "mtu", "1500", "9000")), 0);
    carry_out({set("nic0", "mtu", "1500", "9000")});
    EXPECT_EQ(value("nic0.42", "mtu"), "1500") << "raising raises nothing";
    carry_out({set("nic0.42", "mtu", "1500", "9000"), set("nic0", "mtu", "9000", "4000")});
    EXPECT_EQ(value("nic0.42", "mtu"), "4000");
    carry_out({set("nic0", "up", "true", "false")});
    EXPECT_EQ(value("nic0.42", "up"), "false");
    EXPECT_NE(why(set("nic0.42", "up", "false", "true")), 0);
    carry_out({set("nic0", "up", "false", "true")});
    EXPECT_EQ(value("nic0.42", "up"), "true") << "it comes with its parent";
    LinkEntry other = vlan;
    other.name = "same-id";
    EXPECT_NE(why(make(other)), 0);
    EXPECT_EQ(refused({make({.name = "x.5", .kind = "vlan", .parent = "nic9", .id = 5})}),
              ErrorCode::not_found);
    carry_out({remove(vlan)});
}

TEST_P(Links, EnterABondOnlyWhileTheyAreDown) {
    NEEDS_KIND("bond");
    carry_out({make(bond), make(bond), set("nic0", "up", "false", "true")});
    EXPECT_NE(why(set("nic0", "master", "", "bond7")), 0);
    carry_out({set("nic0", "up", "true", "false"), set("bond7", "mtu", "1500", "4000"),
               set("nic0", "master", "", "bond7")});
    EXPECT_EQ(value("nic0", "mtu"), "4000");
    EXPECT_EQ(value("nic0", "up"), "true");
    carry_out({set("nic1", "master", "", "bond7"), set("bond7", "mtu", "4000", "9000")});
    EXPECT_EQ(value("nic0", "mtu"), "9000");
    EXPECT_EQ(value("nic1", "mtu"), "9000");
    EXPECT_NE(why(set("bond7", "bond.mode", "active-backup", "802.3ad")), 0) << "it has ports";
    carry_out({set("bond7", "bond.primary", "", "nic1"), set("bond7", "bond.miimon", "100", "200")});
    EXPECT_EQ(value("bond7", "bond.primary"), "nic1");
    carry_out({set("bond7", "bond.primary", "nic1", ""), set("nic1", "master", "bond7", "")});
    EXPECT_EQ(value("nic1", "up"), "false");
    EXPECT_EQ(value("nic1", "mtu"), "1500") << "the one that it had before";
    const auto before = entry("bond7");
    carry_out({set("nic0", "master", "bond7", ""), remove(before), make(before)});
    EXPECT_EQ(entry("bond7"), before);
}

TEST_P(Links, OfBondsInAnyModeAreMadeAgain) {
    NEEDS_KIND("bond");
    for (const char* mode : {"balance-rr", "active-backup", "balance-xor", "broadcast", "802.3ad",
                             "balance-tlb", "balance-alb"}) {
        carry_out({make({.name = "bond7", .kind = "bond", .settings = {{"bond.mode", mode}}})});
        const auto before = entry("bond7");
        carry_out({remove(before), make(before)});
        EXPECT_EQ(entry("bond7"), before) << mode;
        carry_out({remove(before)});
    }
}

TEST_P(Links, HaveSysctlsThatAreSetOnce) {
    const SysctlEntry off{"net.ipv4.ip_forward", "0"}, on{off.name, "1"}, odd{off.name, "7"};
    carry_out({change(off, on), change(off, on)});
    EXPECT_EQ(read().sysctls.at(off.name), "1");
    EXPECT_EQ(refused({change(odd, off)}), ErrorCode::conflict);
    const SysctlEntry none{"net.ipv4.no_such_thing", "0"}, some{none.name, "1"};
    EXPECT_EQ(refused({change(none, some)}), ErrorCode::not_found);
}

INSTANTIATE_TEST_SUITE_P(Kernels, Links, testing::Values("fake", "kernel"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace pve_rdma::contract
