// Odd nodes give a report all the same, and say what is odd.
#include "observed_tree.h"

namespace pve_rdma {
namespace {

class OddNode : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        report = new NodeReport(observe_tree(fixtures::Tree("odd"), {"devices"}));
    }
    static void TearDownTestSuite() {
        delete report;
        report = nullptr;
    }
    static RdmaDevice& device(const std::string& name) {
        RdmaDevice* found = report->find_device(name);
        if (!found) throw std::runtime_error("no device " + name);
        return *found;
    }
    static NodeReport* report;
};
NodeReport* OddNode::report = nullptr;

TEST_F(OddNode, FindsEveryDeviceAndNoFile) {
    std::vector<std::string> names;
    for (const auto& found : report->devices)
        names.push_back(found.name);
    EXPECT_EQ(names, (std::vector<std::string>{"i40iw0", "ibp24s0", "mlx4_1", "mlx5_bond_0", "rocep1s0f0",
                                               "wild0"}));
    EXPECT_TRUE(report->links.empty()) << "bonding_masters is no link";
}

TEST_F(OddNode, NotesADeviceThatIsListedButNotThere) {
    EXPECT_EQ(unread(*report, "mlx5_9"), std::vector<std::string>{"/sys/class/infiniband/mlx5_9 not_found"});
}

TEST_F(OddNode, AVirtualFunctionWithoutGuidHasGuidZero) {
    const RdmaDevice& vf = device("ibp24s0");
    EXPECT_EQ(vf.virtual_function, true);
    EXPECT_EQ(vf.node_guid, Guid{0});
    EXPECT_EQ(vf.ports.at(0).port_guid, Guid{0}) << "a fact, not an unknown";
    EXPECT_TRUE(vf.ports.at(0).gids.empty());
    EXPECT_EQ(vf.ports.at(0).lid, 0xffffu);
    EXPECT_EQ(vf.ports.at(0).state, "DOWN");
    EXPECT_EQ(vf.ports.at(0).phys_state, "POLLING");
    EXPECT_EQ(vf.ports.at(0).active_speed, "SDR");
}

TEST_F(OddNode, ANodeDescriptionIsAlwaysText) {
    EXPECT_EQ(device("ibp24s0").node_desc, "caf\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd HCA");
    const auto again = parse_report(report_json(*report), "again");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(*again, *report);
}

TEST_F(OddNode, RoceHasTypesAndNetdevsInItsGidTable) {
    const RdmaDevice& roce = device("rocep1s0f0");
    ASSERT_EQ(roce.ports.size(), 1u) << "ports/one is no port";
    const Port& port = roce.ports[0];
    EXPECT_EQ(roce.protocol, "roce");
    EXPECT_EQ(port.gid_table_length, 4u);
    ASSERT_EQ(port.gids.size(), 2u) << "two entries are not set";
    EXPECT_EQ(port.gids[0].type, "RoCE v1");
    EXPECT_EQ(port.gids[1].type, "RoCE v2");
    EXPECT_EQ(port.gids[1].netdev, "enp1s0f0np0.100");
    EXPECT_EQ(port.netdev, "enp1s0f0np0");
    EXPECT_EQ(port.ifindex, 7u);
    EXPECT_EQ(port.netdevs, (std::vector<std::string>{"enp1s0f0np0", "enp1s0f0np0.100"}));
    EXPECT_EQ(port.lid, std::nullopt) << "Ethernet has no LIDs";
}

TEST_F(OddNode, ABondsPortBelongsToTheBond) {
    const Port& port = device("mlx5_bond_0").ports.at(0);
    EXPECT_EQ(port.netdev, "bond0");
    EXPECT_EQ(port.netdevs, (std::vector<std::string>{"bond0", "ens1f0np0"}));
}

TEST_F(OddNode, IwarpHasNoLidAndNoPortCounters) {
    const RdmaDevice& iwarp = device("i40iw0");
    EXPECT_EQ(iwarp.node_type, "RNIC");
    EXPECT_EQ(iwarp.protocol, "iw");
    EXPECT_EQ(iwarp.ports.at(0).lid, std::nullopt);
    EXPECT_TRUE(iwarp.ports.at(0).counters.empty());
    EXPECT_EQ(unread(*report, "i40iw0"),
              std::vector<std::string>{"/sys/class/infiniband/i40iw0/ports/1/counters unavailable"})
        << "once, not once a counter";
}

TEST_F(OddNode, ValuesOutOfRangeAreUnreadAndTheRestIsKept) {
    const RdmaDevice& wild = device("wild0");
    ASSERT_EQ(wild.ports.size(), 1u) << "4294967296 is no port number";
    const Port& port = wild.ports[0];
    EXPECT_EQ(port.number, 4294967295u);
    EXPECT_EQ(port.state, "FUTURE_STATE");
    EXPECT_EQ(port.phys_state, std::nullopt);
    EXPECT_EQ(port.lid, std::nullopt);
    EXPECT_EQ(port.counters, (std::map<std::string, std::uint64_t>{{"link_downed", 18446744073709551615u}}));
    const std::string folder = "/sys/class/infiniband/wild0/ports/4294967295/";
    EXPECT_EQ(
        unread(*report, "wild0"),
        (std::vector<std::string>{"/sys/class/infiniband/wild0/node_guid malformed", folder + "lid malformed",
                                  folder + "sm_lid malformed", folder + "cap_mask malformed",
                                  folder + "rate malformed", folder + "gids/0 malformed",
                                  folder + "pkeys/0 malformed", folder + "counters/symbol_error malformed"}));
}

TEST_F(OddNode, NetdevsGoToTheirPortAndChildrenComeLast) {
    const RdmaDevice& two = device("mlx4_1");
    ASSERT_EQ(two.ports.size(), 2u);
    EXPECT_EQ(two.ports[0].netdev, "ib1");
    EXPECT_EQ(two.ports[0].netdevs, (std::vector<std::string>{"ib1", "ib1.8001"}));
    EXPECT_EQ(two.ports[1].netdev, "enp5s0d1");
    EXPECT_EQ(two.ports[1].ifindex, 21u);
}

TEST(EmptyNode, SaysThatNoCardHasADriver) {
    const NodeReport report = observe_tree(fixtures::Tree());
    EXPECT_TRUE(report.devices.empty());
    EXPECT_EQ(report.sources.at("sysfs").unavailable, "ENOENT");
    EXPECT_NE(report.sources.at("sysfs").hint.value_or("").find("ib_core"), std::string::npos);
    EXPECT_EQ(report.sources.at("pci").unavailable, "ENOENT");
}

}  // namespace
}  // namespace pve_rdma
