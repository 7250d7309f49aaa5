// Disks that are reached over the network.
#include "observe/storage_targets.h"

#include <gtest/gtest.h>

#include "../../fixtures/tree.h"

namespace pve_rdma {
namespace {

std::vector<std::string> targets_of(const fixtures::Tree& tree) {
    std::vector<std::string> words;
    for (const auto& target : storage_targets(Machine::open(tree.root()).value()))
        words.push_back(target.what + " " + target.address.text());
    return words;
}

TEST(StorageTargets, AreIscsiConnectionsAndNvmeOverFabrics) {
    fixtures::Tree tree;
    tree.add("sys/class/iscsi_connection/connection1:0/persistent_address = 192.0.2.9");
    tree.add("sys/class/nvme/nvme0/address = traddr=2001:db8::9,trsvcid=4420,src_addr=2001:db8::1");
    tree.add("sys/class/nvme/nvme1/address = 0000:01:00.0");  // in the node itself
    EXPECT_EQ(targets_of(tree), (std::vector<std::string>{"the iSCSI connection1:0 192.0.2.9",
                                                          "the NVMe controller nvme0 2001:db8::9"}));
}

TEST(StorageTargets, AreNoneWhereThereIsNoSuchClass) {
    EXPECT_TRUE(targets_of(fixtures::Tree()).empty());
}

}  // namespace
}  // namespace pve_rdma
