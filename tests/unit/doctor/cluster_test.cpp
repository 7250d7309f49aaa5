// Which reports are one node at two times, and which are two nodes.
#include "doctor/cluster.h"

#include "judge.h"

namespace pve_rdma::doctor {
namespace {

NodeReport report(const std::string& host, std::uint64_t guid, const std::string& taken) {
    NodeReport report;
    report.system.hostname = host;
    report.taken = taken;
    RdmaDevice& device = report.devices.emplace_back();
    device.name = "mlx4_0";
    device.node_guid = Guid{guid};
    return report;
}

TEST(Cluster, TwoReportsOfOneHostAreItsHistory) {
    const std::vector<Input> inputs{{report("a", 1, "2025-01-02T00:00:00Z"), "new"},
                                    {report("b", 2, "2025-01-01T00:00:00Z"), "other"},
                                    {report("a", 1, "2025-01-01T23:00:00Z"), "old"}};
    const Cluster cluster(inputs);
    ASSERT_EQ(cluster.nodes().size(), 2u);
    const Node& node = cluster.nodes().front();
    EXPECT_EQ(node.report.taken, "2025-01-02T00:00:00Z")
        << "the newest is judged, in whatever order they come";
    ASSERT_NE(node.earlier, nullptr);
    EXPECT_EQ(node.seconds_since_earlier(), 3600);
    EXPECT_EQ(cluster.nodes().back().earlier, nullptr);
}

TEST(Cluster, OneNameOnTwoMachinesIsTwoNodes) {
    const std::vector<Input> inputs{{report("pve", 1, "2025-01-01T00:00:00Z"), "one.json"},
                                    {report("pve", 2, "2025-01-01T00:00:00Z"), "two.json"}};
    const Cluster cluster(inputs);
    ASSERT_EQ(cluster.nodes().size(), 2u);
    EXPECT_EQ(cluster.nodes().front().name, "pve");
    EXPECT_EQ(cluster.nodes().back().name, "pve (two.json)");
}

TEST(Cluster, ReportsWithoutAHostNameAreNamedByTheirFiles) {
    NodeReport nameless;
    const std::vector<Input> inputs{{nameless, "a.json"}, {nameless, "b.json"}};
    const Cluster cluster(inputs);
    ASSERT_EQ(cluster.nodes().size(), 2u);
    EXPECT_EQ(cluster.nodes().front().name, "a.json");
}

TEST(Cluster, TimesAreRead) {
    EXPECT_EQ(seconds_of("1970-01-02T00:00:01Z"), 86401);
    EXPECT_EQ(seconds_of("2025-13-01T00:00:00Z"), std::nullopt);
    EXPECT_EQ(seconds_of("yesterday"), std::nullopt);
    EXPECT_EQ(seconds_of(""), std::nullopt);
}

}  // namespace
}  // namespace pve_rdma::doctor
