// A card that went away after its folder was listed: a report comes out, and it says so.
#include "observed_tree.h"

namespace pve_rdma {
namespace {

constexpr const char* card = "sys/devices/pci0000:80/0000:80:02.2/0000:82:00.0";

TEST(Unplugged, AfterTheFolderWasListedIsNoted) {
    const fixtures::Tree tree("connectx3");
    std::filesystem::remove_all(tree.path(card));
    const NodeReport report = observe_tree(tree, {"devices"});
    EXPECT_TRUE(report.devices.empty());
    EXPECT_EQ(unread(report), std::vector<std::string>{"/sys/class/infiniband/mlx4_0 not_found"});
}

}  // namespace
}  // namespace pve_rdma
