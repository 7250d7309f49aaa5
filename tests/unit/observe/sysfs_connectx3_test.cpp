// A ConnectX-3 node in InfiniBand mode gives every fact that its files hold, and nothing goes unread.
#include "observed_tree.h"

namespace pve_rdma {
namespace {

class ConnectX3 : public testing::Test {
  protected:
    static void SetUpTestSuite() { report = new NodeReport(observe_tree(fixtures::Tree("connectx3"))); }
    static void TearDownTestSuite() {
        delete report;
        report = nullptr;
    }
    static RdmaDevice& device() { return report->devices.at(0); }
    static Port& port() { return device().ports.at(0); }
    static NodeReport* report;
};
NodeReport* ConnectX3::report = nullptr;

TEST_F(ConnectX3, HasTheCardsIdentity) {
    ASSERT_EQ(report->devices.size(), 1u);
    EXPECT_EQ(device().name, "mlx4_0");
    EXPECT_EQ(device().node_type, "CA");
    EXPECT_EQ(device().protocol, "ib");
    EXPECT_EQ(device().hca_type, "MT4099");
    EXPECT_EQ(device().fw_ver, "2.11.500");
    EXPECT_EQ(device().board_id, "DEL0A30000019");
    EXPECT_EQ(device().node_desc, "node-a HCA-1");
    EXPECT_EQ(device().node_guid, Guid{0x0002c90300f9bf00});
    EXPECT_EQ(device().pci, "0000:82:00.0");
    EXPECT_EQ(device().driver, "mlx4_core");
    EXPECT_EQ(device().numa_node, 1);
    EXPECT_EQ(device().virtual_function, false);
    EXPECT_EQ(device().uverbs, "uverbs0");
}

TEST_F(ConnectX3, HasAnActiveFdrPort) {
    ASSERT_EQ(device().ports.size(), 1u);
    EXPECT_EQ(port().number, 1u);
    EXPECT_EQ(port().state, "ACTIVE");
    EXPECT_EQ(port().phys_state, "LINK_UP");
    EXPECT_EQ(port().link_layer, "InfiniBand");
    EXPECT_EQ(port().lid, 0x3a4u);
    EXPECT_EQ(port().lmc, 0u);
    EXPECT_EQ(port().sm_lid, 1u);
    EXPECT_EQ(port().rate, "56 Gb/sec (4X FDR)");
    EXPECT_EQ(port().rate_gbps, 56);
    EXPECT_EQ(port().active_width, "4X");
    EXPECT_EQ(port().active_speed, "FDR");
    EXPECT_EQ(port().cap_mask, 0x02514868u);
    EXPECT_EQ(port().umad, "umad0");
    EXPECT_EQ(port().issm, "issm0");
}

TEST_F(ConnectX3, HasItsTables) {
    EXPECT_EQ(port().port_guid, Guid{0x0002c90300f9bf01});
    EXPECT_EQ(port().subnet_prefix, 0xfe80000000000000u);
    EXPECT_EQ(port().gid_table_length, 128u);
    ASSERT_EQ(port().gids.size(), 1u) << "the other 127 hold the prefix and no GUID";
    EXPECT_EQ(port().pkey_table_length, 128u);
    EXPECT_EQ(port().pkeys, (std::vector<PKeyEntry>{{0, PKey{0xffff}}, {127, PKey{0x8001}}}));
    EXPECT_EQ(port().counters, (std::map<std::string, std::uint64_t>{
                                   {"symbol_error", 0}, {"link_downed", 3}, {"port_rcv_packets", 7620680}}));
}

TEST_F(ConnectX3, HasItsIpoibInterface) {
    EXPECT_EQ(port().netdev, "ib0");
    EXPECT_EQ(port().ifindex, 5u);
    EXPECT_EQ(port().netdevs, std::vector<std::string>{"ib0"});
    const Link* ib0 = std::as_const(*report).find_link("ib0");
    ASSERT_TRUE(ib0);
    EXPECT_EQ(ib0->link_type, "infiniband");
    EXPECT_EQ(ib0->mtu, 2044u);
    EXPECT_EQ(ib0->operstate, "UP");
    EXPECT_EQ(ib0->info_kind, "ipoib");
    ASSERT_TRUE(ib0->ipoib);
    EXPECT_EQ(ib0->ipoib->mode, "connected");
    EXPECT_EQ(ib0->ipoib->key, "0xffff");
    ASSERT_TRUE(ib0->address);
    EXPECT_EQ(ib0->address->text(), "80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:f9:bf:01");
    EXPECT_EQ(ib0->parentdev, "0000:82:00.0");
    EXPECT_NE(std::ranges::find(ib0->flags, "LOWER_UP"), ib0->flags.end());
}

TEST_F(ConnectX3, SaysWhatThePciPathGives) {
    ASSERT_EQ(report->pci.size(), 1u) << "the bridge above is a hop, not a card";
    const PciDevice& pci = report->pci[0];
    EXPECT_EQ(pci.vendor_id, 0x15b3u);
    EXPECT_EQ(pci.device_id, 0x1003u);
    EXPECT_EQ(pci.vendor_name, "Mellanox Technologies");
    EXPECT_EQ(pci.device_name, "MT27500 Family [ConnectX-3]");
    EXPECT_EQ(pci.iommu_group, 37u);
    EXPECT_EQ(pci.sriov_totalvfs, 8u);
    EXPECT_EQ(pci.port_types, (std::map<std::string, std::string>{{"mlx4_port1", "ib"}}));
    EXPECT_EQ(pci.rdma_devices, std::vector<std::string>{"mlx4_0"});
    EXPECT_EQ(pci.netdevs, std::vector<std::string>{"ib0"});
    ASSERT_EQ(pci.links.size(), 2u);
    EXPECT_EQ(pci.limited_by, "0000:80:02.2") << "the slot has 4 lanes, the card 8";
    EXPECT_DOUBLE_EQ(pci.bandwidth_gbps.value_or(0), 31.51);
    EXPECT_EQ(pci.max_payload_size, 256u);
    EXPECT_EQ(pci.max_payload_size_supported, 512u);
    EXPECT_EQ(pci.max_read_request_size, 4096u);
    EXPECT_EQ(pci.aspm, "L1");
    ASSERT_TRUE(pci.vpd);
    EXPECT_EQ(pci.vpd->name, "ConnectX-3");
    EXPECT_EQ(pci.vpd->part_number, "MCX353A-FCB");
    EXPECT_EQ(pci.vpd->engineering_change, "A5");
    EXPECT_EQ(pci.vpd->serial_number, std::nullopt) << "only when asked for";
}

TEST_F(ConnectX3, LeavesNothingUnread) {
    EXPECT_EQ(unread(*report), std::vector<std::string>{});
    EXPECT_EQ(report->sources.at("verbs").unavailable, "recorded");
    EXPECT_EQ(report->sources.at("sysfs").unavailable, std::nullopt);
    EXPECT_EQ(report->system.umad_abi, 5u);
    EXPECT_EQ(report->system.uverbs_abi, 6u);
}

TEST(ConnectX3Serial, IsGivenWhenAskedFor) {
    const fixtures::Tree tree("connectx3");
    const auto machine = Machine::open(tree.root());
    ASSERT_TRUE(machine);
    NodeScope scope;
    scope.sections = {"pci"};
    scope.serial_numbers = true;
    const NodeReport report = observe_node(*machine, scope);
    ASSERT_EQ(report.pci.size(), 1u);
    ASSERT_TRUE(report.pci[0].vpd);
    EXPECT_EQ(report.pci[0].vpd->serial_number, "MT000000");
    EXPECT_TRUE(report.devices.empty()) << "only the section that was wanted";
}

}  // namespace
}  // namespace pve_rdma
