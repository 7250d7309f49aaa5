// A card that goes away while it is read: a report comes out each time, and it says so.
#include <atomic>
#include <thread>

#include "observed_tree.h"

namespace pve_rdma {
namespace {

constexpr const char* card = "sys/devices/pci0000:80/0000:80:02.2/0000:82:00.0";

TEST(Unplugged, BetweenAnyTwoReads) {
    const fixtures::Tree tree("connectx3");
    const auto machine = Machine::open(tree.root());
    ASSERT_TRUE(machine);
    const auto away = tree.path("away"), here = tree.path(card);
    std::atomic<bool> stop{false};
    std::thread hand([&] {
        while (!stop) {  // pulled and put back, as fast as it goes
            std::filesystem::rename(here, away);
            std::filesystem::rename(away, here);
        }
    });
    int whole = 0, noted = 0;
    NodeScope scope;
    scope.sections = {"devices", "pci"};
    for (int i = 0; i < 25; ++i) {
        const NodeReport report = observe_node(*machine, scope);
        const auto again = parse_report(report_json(report), "again");
        EXPECT_TRUE(again && *again == report);
        whole += !report.devices.empty() && !report.devices[0].ports.empty();
        noted += !unread(report).empty();
    }
    stop = true;
    hand.join();
    EXPECT_GT(whole + noted, 0);
}

TEST(Unplugged, AfterTheFolderWasListedIsNoted) {
    const fixtures::Tree tree("connectx3");
    std::filesystem::remove_all(tree.path(card));
    const NodeReport report = observe_tree(tree, {"devices"});
    EXPECT_TRUE(report.devices.empty());
    EXPECT_EQ(unread(report), std::vector<std::string>{"/sys/class/infiniband/mlx4_0 not_found"});
}

TEST(TwoThreads, ObserveOneMachineAtOnce) {
    const fixtures::Tree tree("odd");
    const auto machine = Machine::open(tree.root());
    ASSERT_TRUE(machine);
    NodeReport reports[2];
    {
        std::jthread one([&] { reports[0] = observe_node(*machine); });
        std::jthread two([&] { reports[1] = observe_node(*machine); });
    }
    reports[1].taken = reports[0].taken;
    EXPECT_EQ(reports[0], reports[1]);
    EXPECT_EQ(reports[0].devices.size(), 6u);
}

TEST(TwoThreads, ObserveThisNodeAtOnce) {
    const auto machine = Machine::open("/");
    ASSERT_TRUE(machine);
    std::size_t sources[2] = {};
    {
        std::jthread one([&] { sources[0] = observe_node(*machine).sources.size(); });
        std::jthread two([&] { sources[1] = observe_node(*machine).sources.size(); });
    }
    EXPECT_EQ(sources[0], sources[1]);
    EXPECT_GT(sources[0], 0u);
}

}  // namespace
}  // namespace pve_rdma
