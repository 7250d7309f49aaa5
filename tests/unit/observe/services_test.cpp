// Networks of services, opensm's settings, and troubles in the kernel's log: what is read, and what is not.
#include "observe/services.h"

#include <gtest/gtest.h>

#include "../../fixtures/tree.h"
#include "observe/kernel_log.h"

namespace pve_rdma {
namespace {

constexpr const char* corosync = R"(totem {
  interface {
    linknumber: 0
  }
}
nodelist {
  node {
    name: pve2
    ring0_addr: 192.0.2.2
  }
  node {
    # links of this one
    ring0_addr: 192.0.2.1
    ring1_addr: 198.51.100.1
    name: pve1
  }
}
)";

TEST(Services, CorosyncGivesTheOwnNodesLinks) {
    EXPECT_EQ(
        corosync_links(corosync, "pve1"),
        (std::vector<ServiceNetwork>{{"corosync link 0", "192.0.2.1"}, {"corosync link 1", "198.51.100.1"}}));
    EXPECT_TRUE(corosync_links(corosync, "pve3").empty());
    EXPECT_TRUE(corosync_links("node {", "").empty());
    EXPECT_TRUE(corosync_links("", "pve1").empty());
}

TEST(Services, CorosyncNamesTheOtherNodes) {
    fixtures::Tree tree;
    tree.write("etc/corosync/corosync.conf", corosync);
    const auto machine = Machine::open(tree.root()).value();
    const auto peers = corosync_peers(machine, "pve1");
    ASSERT_EQ(peers.size(), 1u);
    EXPECT_EQ(peers[0].name, "pve2");
    ASSERT_EQ(peers[0].links.size(), 1u);
    EXPECT_EQ(peers[0].links[0].address, "192.0.2.2");
    EXPECT_TRUE(corosync_peers(Machine::open(fixtures::Tree().root()).value(), "pve1").empty());
}

TEST(Services, CephNamesItsNetworksInAnySpelling) {
    EXPECT_EQ(
        ceph_networks("[global]\n\tpublic network = 192.0.2.0/24, 198.51.100.0/24\n"
                      "cluster_network=203.0.113.0/24\nfsid = x\n[osd]\ncluster_network = 10.0.0.0/8\n"),
        (std::vector<ServiceNetwork>{{"ceph public", "192.0.2.0/24"},
                                     {"ceph public", "198.51.100.0/24"},
                                     {"ceph cluster", "203.0.113.0/24"}}));
    EXPECT_TRUE(ceph_networks("public_network = 192.0.2.0/24").empty()) << "not in [global]";
}

TEST(Services, MigrationHasItsNetwork) {
    EXPECT_EQ(migration_network("migration: secure,network=192.0.2.0/24\nkeyboard: de\n"),
              (std::vector<ServiceNetwork>{{"migration", "192.0.2.0/24"}}));
    EXPECT_TRUE(migration_network("migration: insecure\n").empty());
}

TEST(Services, OfOpensmNoKeyIsRead) {
    const auto settings =
        opensm_settings("m_key 0x1234\nsm_key 0x5\nsminfo_polling_timeout 1000\n# sm_priority 3\n");
    EXPECT_EQ(settings, (std::map<std::string, std::string>{{"sminfo_polling_timeout", "1000"}}));
}

TEST(KernelLog, KeepsTroublesOfCardsOnceAndWithoutTimes) {
    EXPECT_EQ(
        troubles_in_log("<4>[   12.5] mlx5_core 0000:01:00.0: mlx5_load_one failed with error code -16\n"
                        "[   13.5] mlx5_core 0000:01:00.0: mlx5_load_one failed with error code -16\n"
                        "<6>[   14.0] mlx5_core 0000:01:00.0: firmware version: 16.35.2000\n"
                        "<3>[   15.0] usb 1-1: device descriptor read error\n"),
        (std::vector<std::string>{"mlx5_core 0000:01:00.0: mlx5_load_one failed with error code -16"}));
    EXPECT_TRUE(troubles_in_log("").empty());
}

TEST(KernelLog, KeepsTheNewest) {
    std::string text;
    for (int i = 0; i < 300; ++i)
        text += "mlx5_core: error " + std::to_string(i) + "\n";
    const auto lines = troubles_in_log(text);
    ASSERT_EQ(lines.size(), max_kernel_log_lines);
    EXPECT_EQ(lines.back(), "mlx5_core: error 299");
}

}  // namespace
}  // namespace pve_rdma
