// A card that another thread pulls while it is read: a report comes out each time, and it says so.
#include <atomic>
#include <thread>

#include "../observe/observed_tree.h"

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

}  // namespace
}  // namespace pve_rdma
