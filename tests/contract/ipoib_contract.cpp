// IPoIB: mode and MTU, P_Key children, a bond. On the running kernel only where it has a port ib0 (the guest
// of the suite guest-network); ports do not move, so that one is tested in the first namespace.
#include <algorithm>

#include "bed.h"
#include "network/settings.h"

namespace pve_rdma::contract {
namespace {

class IpoibPorts : public Contract {
  protected:
    void SetUp() override {
        if (GetParam() == "fake") {
            Contract::SetUp();
            bed().add_ipoib("ib0");
        } else if (!move_home()) {
            GTEST_SKIP() << "no IPoIB port ib0 (PVE_RDMA_IPOIB)";
        }
    }
    std::string value(const std::string& link, const std::string& key) {
        const Network now = read();
        const Link* found = now.find(link);
        return found ? SettingKey(key).read(*found).value_or("-") : "no link";
    }
};

TEST_P(IpoibPorts, LeaveConnectedModeWithASmallerMtu) {
    const std::string own = value("ib0", "mtu");
    carry_out({set("ib0", "ipoib.mode", "datagram", "connected"), set("ib0", "mtu", own, "65520")});
    EXPECT_EQ(value("ib0", "mtu"), "65520");
    carry_out({set("ib0", "ipoib.mode", "connected", "datagram")});
    EXPECT_EQ(value("ib0", "mtu"), own);
    EXPECT_EQ(refused({set("ib0", "mtu", own, "65520")}), ErrorCode::machine);
}

// Two children of one P_Key are no error to the kernel (is_child_unique(), ipoib_vlan.c).
TEST_P(IpoibPorts, HaveChildren) {
    const LinkEntry child{.name = "ib0.8001", .kind = "ipoib", .parent = "ib0", .pkey = "0x8001"};
    LinkEntry twin = child;
    twin.name = "twin";
    carry_out({make(child), make(child)});
    carry_out({make(twin), remove(twin)});
    LinkEntry grandchild = twin;
    grandchild.parent = "ib0.8001";
    EXPECT_EQ(refused({make(grandchild)}), ErrorCode::bad_request);
    const Network now = read();
    const auto before = link_entry(*now.find("ib0.8001"));
    ASSERT_TRUE(before);
    EXPECT_EQ(before->pkey, "0x8001");
    carry_out({remove(*before), make(*before), remove(*before), remove(*before)});
}

TEST_P(IpoibPorts, EnterBondsThatAreActiveBackup) {
    const LinkEntry wrong{.name = "bond8", .kind = "bond", .settings = {{"bond.mode", "balance-rr"}}};
    const LinkEntry right{.name = "bond9", .kind = "bond", .settings = {{"bond.mode", "active-backup"}}};
    carry_out({make(wrong), make(right)});
    EXPECT_EQ(refused({set("ib0", "master", "", "bond8")}), ErrorCode::unavailable);
    EXPECT_EQ(value("ib0", "master"), "");
    carry_out({set("ib0", "master", "", "bond9")});
    EXPECT_EQ(value("bond9", "bond.fail_over_mac"), "active");
    carry_out({set("ib0", "master", "bond9", ""), remove(wrong), remove(right)});
}

INSTANTIATE_TEST_SUITE_P(Kernels, IpoibPorts, testing::Values("fake", "kernel"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace pve_rdma::contract
