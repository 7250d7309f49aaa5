// What only the model can be asked here: hardware that a test machine lacks. The rest is in tests/contract.
#include <gtest/gtest.h>

#include "apply/fake_kernel.h"

namespace pve_rdma {
namespace {

Step set(const std::string& link, const std::string& key, const std::string& from, const std::string& to) {
    return step(Change<SettingEntry>{SettingEntry{link, key, from}, SettingEntry{link, key, to}});
}

ErrorCode code_of(const std::vector<StepFailure>& failures) {
    return failures.empty() ? ErrorCode::internal : failures.front().error.code;
}

TEST(FakeKernel, IpoibTakesTheGroupsMtuInDatagramModeAndALargeOneInConnectedMode) {
    FakeKernel kernel;
    kernel.add_ipoib("ib0");
    const std::vector<Step> steps{set("ib0", "ipoib.mode", "datagram", "connected"),
                                  set("ib0", "mtu", "2044", "65520")};
    EXPECT_TRUE(kernel.carry_out(steps).empty());
    EXPECT_EQ(kernel.network().find("ib0")->mtu, 65520U);
    EXPECT_TRUE(kernel.carry_out(std::vector{set("ib0", "ipoib.mode", "connected", "datagram")}).empty());
    EXPECT_EQ(kernel.network().find("ib0")->mtu, 2044U) << "leaving connected mode lowers the MTU";
}

TEST(FakeKernel, EnhancedIpoibRefusesConnectedMode) {
    FakeKernel kernel;
    kernel.add_ipoib("ib0", {.enhanced = true});
    const auto failed = kernel.carry_out(std::vector{set("ib0", "ipoib.mode", "datagram", "connected")});
    ASSERT_EQ(failed.size(), 1U);
    EXPECT_EQ(failed.front().error.errno_value, EINVAL);
}

TEST(FakeKernel, AStepIsDoneAlreadyOrRefusedWhenSomebodyElseChangedItsObject) {
    FakeKernel kernel;
    kernel.add_ethernet("nic0");
    EXPECT_TRUE(kernel.carry_out(std::vector{set("nic0", "mtu", "9000", "1500")}).empty());
    EXPECT_EQ(code_of(kernel.carry_out(std::vector{set("nic0", "mtu", "9000", "4000")})),
              ErrorCode::conflict);
    EXPECT_EQ(kernel.network().find("nic0")->mtu, 1500U);
    EXPECT_EQ(code_of(kernel.carry_out(std::vector{set("nic1", "mtu", "1500", "4000")})),
              ErrorCode::not_found);
}

TEST(FakeKernel, AGuestsPortStaysInItsBridge) {
    FakeKernel kernel;
    ASSERT_TRUE(
        kernel.carry_out(std::vector{step(Change<LinkEntry>{{}, LinkEntry{"vmbr0", "bridge"}})}).empty());
    kernel.add_ethernet("tap100i0").master = "vmbr0";
    EXPECT_EQ(code_of(kernel.carry_out(std::vector{set("tap100i0", "master", "vmbr0", "")})),
              ErrorCode::conflict);
    EXPECT_EQ(
        code_of(kernel.carry_out(std::vector{step(Change<LinkEntry>{LinkEntry{"vmbr0", "bridge"}, {}})})),
        ErrorCode::conflict);
}

TEST(FakeKernel, ABondOfIpoibPortsIsActiveBackup) {
    FakeKernel kernel;
    kernel.add_ipoib("ib0");
    const LinkEntry bond{.name = "bond0", .kind = "bond", .settings = {{"bond.mode", "802.3ad"}}};
    ASSERT_TRUE(kernel.carry_out(std::vector{step(Change<LinkEntry>{{}, bond})}).empty());
    const auto failed = kernel.carry_out(std::vector{set("ib0", "master", "", "bond0")});
    ASSERT_EQ(failed.size(), 1U);
    EXPECT_EQ(failed.front().error.errno_value, EOPNOTSUPP);
}

}  // namespace
}  // namespace pve_rdma
