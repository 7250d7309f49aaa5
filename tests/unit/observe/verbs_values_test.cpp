// libibverbs' structures as facts.
#include "observe/verbs_values.h"

#include <endian.h>
#include <gtest/gtest.h>

namespace pve_rdma {
namespace {

ibv_port_attr infiniband_port() {
    ibv_port_attr attr{};
    attr.state = IBV_PORT_ACTIVE;
    attr.phys_state = 5;
    attr.link_layer = IBV_LINK_LAYER_INFINIBAND;
    attr.max_mtu = IBV_MTU_4096;
    attr.active_mtu = IBV_MTU_2048;
    attr.gid_tbl_len = 128;
    attr.pkey_tbl_len = 128;
    attr.lid = 0x3a4;
    attr.sm_lid = 1;
    attr.active_width = 2;
    attr.active_speed = 16;
    attr.port_cap_flags = 1u << 15 | 2;
    attr.port_cap_flags2 = 0x20;
    attr.max_msg_sz = 1u << 30;
    return attr;
}

TEST(VerbsPort, GivesMtusInOctetsAndNamesOfWidthAndSpeed) {
    Port port;
    add_port_attributes(infiniband_port(), port);
    EXPECT_EQ(port.max_mtu, 4096u);
    EXPECT_EQ(port.active_mtu, 2048u);
    EXPECT_EQ(port.active_width, "4X");
    EXPECT_EQ(port.active_speed, "FDR");
    EXPECT_EQ(port.lane_gbps, 14);
    EXPECT_EQ(port.state, "ACTIVE");
    EXPECT_EQ(port.phys_state, "LINK_UP");
    EXPECT_EQ(port.lid, 0x3a4u);
    EXPECT_EQ(port.cap_mask2, 0x20u);
    EXPECT_EQ(port.gid_table_length, 128u);
}

TEST(VerbsPort, KeepsWhatIsKnownAndLeavesOutWhatIsNot) {
    Port port;
    port.lid = 9;
    ibv_port_attr attr = infiniband_port();
    attr.active_width = 3;
    attr.active_speed = 0;
    attr.max_mtu = static_cast<ibv_mtu>(0);
    attr.port_cap_flags = 0;
    add_port_attributes(attr, port);
    EXPECT_EQ(port.lid, 9u);
    EXPECT_EQ(port.active_width, std::nullopt);
    EXPECT_EQ(port.active_speed, std::nullopt);
    EXPECT_EQ(port.max_mtu, std::nullopt);
    EXPECT_EQ(port.cap_mask2, std::nullopt);
}

TEST(VerbsPort, OnEthernetHasNoLid) {
    Port port;
    ibv_port_attr attr = infiniband_port();
    attr.link_layer = IBV_LINK_LAYER_ETHERNET;
    add_port_attributes(attr, port);
    EXPECT_EQ(port.link_layer, "Ethernet");
    EXPECT_EQ(port.lid, std::nullopt);
}

TEST(VerbsGids, GoToTheirPortsWithNamesOfNetdevs) {
    RdmaDevice device;
    device.ports.resize(2);
    device.ports[0].number = 1;
    device.ports[0].link_layer = "InfiniBand";
    device.ports[1].number = 2;
    device.ports[1].link_layer = "Ethernet";
    std::vector<Link> links(1);
    links[0].ifindex = 7;
    links[0].ifname = "enp1s0d1";
    const auto gid = [](Gid value) {
        ibv_gid gid{};
        std::copy(value.octets.begin(), value.octets.end(), gid.raw);
        return gid;
    };
    std::vector<ibv_gid_entry> entries(4);
    entries[0] = {gid(Gid::from(0xfe80000000000000, Guid{0})), 0, 1, IBV_GID_TYPE_IB, 0};
    entries[1] = {gid(Gid::from(0xfe80000000000000, Guid{5})), 1, 1, IBV_GID_TYPE_IB, 0};
    entries[2] = {gid(Gid::from(0, Guid{0xffffc0000201})), 3, 2, IBV_GID_TYPE_ROCE_V2, 7};
    entries[3] = {gid(Gid::from(1, Guid{1})), 0, 3, IBV_GID_TYPE_IB, 0};
    add_gid_entries(entries, links, device);
    EXPECT_EQ(device.ports[0].port_guid, Guid{0}) << "a function without a GUID: a fact";
    ASSERT_EQ(device.ports[0].gids.size(), 1u);
    EXPECT_EQ(device.ports[0].gids[0].index, 1u);
    EXPECT_EQ(device.ports[0].gids[0].type, "IB");
    ASSERT_EQ(device.ports[1].gids.size(), 1u);
    EXPECT_EQ(device.ports[1].gids[0].type, "RoCE v2");
    EXPECT_EQ(device.ports[1].gids[0].netdev, "enp1s0d1");
}

TEST(VerbsDevice, NamesLimitsAsIbvDevinfoDoes) {
    ibv_device_attr_ex attr{};
    std::copy_n("2.42.5000", 10, attr.orig_attr.fw_ver);
    attr.orig_attr.node_guid = htobe64(0x0002c90300f9bf00);
    attr.orig_attr.vendor_id = 0x2c9;
    attr.orig_attr.max_qp = 393144;
    attr.orig_attr.max_fmr = -1;
    attr.hca_core_clock = 427000;
    RdmaDevice device;
    add_device_attributes(attr, 32, device);
    EXPECT_EQ(device.fw_ver, "2.42.5000");
    EXPECT_EQ(device.node_guid, Guid{0x0002c90300f9bf00});
    EXPECT_EQ(device.vendor_id, 0x2c9u);
    EXPECT_EQ(device.limits.at("max_qp"), 393144u);
    EXPECT_EQ(device.limits.at("hca_core_clock"), 427000u);
    EXPECT_EQ(device.limits.at("num_comp_vectors"), 32u);
    EXPECT_FALSE(device.limits.contains("max_fmr")) << "a driver's -1 is no limit";
}

}  // namespace
}  // namespace pve_rdma
