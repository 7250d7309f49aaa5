// What a cheaper source gave stays, and its file is not read: on a card each file is a firmware command.
#include "observe/sysfs.h"
#include "observed_tree.h"

namespace pve_rdma {
namespace {

TEST(SysfsFillsGaps, AndReadsNoFileThatIsNotNeeded) {
    fixtures::Tree tree("connectx3");
    const std::string port = "sys/devices/pci0000:80/0000:80:02.2/0000:82:00.0/infiniband/mlx4_0/ports/1/";
    NodeReport report;
    RdmaDevice& device = report.devices.emplace_back();
    device.name = "mlx4_0";
    device.fw_ver = "2.42.5000";
    device.node_guid = Guid{1};
    Port& known = device.ports.emplace_back();
    known.number = 1;
    known.state = "INIT";
    known.lid = 7;
    known.lmc = 2;
    known.cap_mask = 2;
    known.cap_flags = {"SM"};
    known.gids = {{.index = 0,
                   .gid = Gid::from(0xfe80000000000000, Guid{5}),
                   .type = "IB",
                   .ifindex = {},
                   .netdev = {}}};
    known.port_guid = Guid{5};
    known.counters = {{"symbol_error", 9}};
    known.pkeys = {{0, PKey{0x7fff}}};
    // Read, these would be noted as malformed.
    for (const char* name :
         {"lid", "lid_mask_count", "cap_mask", "gids/0", "counters/symbol_error", "pkeys/0"})
        tree.add(port + name + " = not to be read");
    tree.add("sys/class/infiniband/mlx4_0/node_guid = not to be read");

    const auto machine = Machine::open(tree.root());
    ASSERT_TRUE(machine);
    observe_sysfs(*machine, report);
    EXPECT_EQ(unread(report), std::vector<std::string>{});
    ASSERT_EQ(report.devices.size(), 1u);
    const Port& filled = report.devices[0].ports.at(0);
    EXPECT_EQ(report.devices[0].fw_ver, "2.42.5000");
    EXPECT_EQ(report.devices[0].hca_type, "MT4099") << "a gap, filled";
    EXPECT_EQ(filled.state, "INIT");
    EXPECT_EQ(filled.lid, 7u);
    EXPECT_EQ(filled.sm_lid, 1u) << "a gap, filled";
    EXPECT_EQ(filled.phys_state, "LINK_UP");
    EXPECT_EQ(filled.gids.size(), 1u);
    EXPECT_EQ(filled.counters.at("symbol_error"), 9u);
}

TEST(SysfsFillsGaps, AChildThatOnlyRtnetlinkKnowsIsOnItsParentsPort) {
    const fixtures::Tree tree("connectx3");
    NodeReport report;
    Link& child = report.links.emplace_back();
    child.ifindex = 9;
    child.ifname = "ib0p8001";
    child.link = "ib0";
    child.ipoib = Ipoib{};
    const auto machine = Machine::open(tree.root());
    ASSERT_TRUE(machine);
    observe_sysfs(*machine, report);
    EXPECT_EQ(report.devices.at(0).ports.at(0).netdevs, (std::vector<std::string>{"ib0", "ib0p8001"}));
    EXPECT_EQ(report.devices.at(0).ports.at(0).netdev, "ib0");
}

}  // namespace
}  // namespace pve_rdma
