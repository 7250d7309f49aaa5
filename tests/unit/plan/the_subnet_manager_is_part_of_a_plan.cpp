#include <algorithm>

#include "facts/fabric_walk.h"
#include "network/sysctl_profile.h"
#include "support.h"

namespace pve_rdma {
namespace {

using Files = std::map<std::string, std::string>;

Files debian() {
    return {{"/etc/default/opensm", "PORTS=ALL\n"},
            {"/etc/network/interfaces", "auto lo\niface lo inet loopback\n"}};
}

Plan plan_with(const std::string& document, Files content, const NodeReport& report = {},
               const Network& now = {}) {
    eni::MemoryFiles files(std::move(content));
    const Desired wanted = test::desired(document);
    auto made = make_plan({.now = now, .desired = wanted, .report = report, .files = &files});
    EXPECT_TRUE(made) << made.error().text();
    return made ? std::move(*made) : Plan{};
}

// A switch of 2K between hosts of 4K.
NodeReport mixed_fabric() {
    NodeReport report;
    FabricWalk& walk = report.fabric.emplace_back();
    const auto add = [&](const char* type, const char* name, std::uint32_t mtu) {
        WalkNode& node = walk.nodes.emplace_back();
        node.type = type;
        node.description = name;
        WalkPort& port = node.ports.emplace_back();
        port.number = 1;
        port.phys_state = "LINK_UP";
        port.mtu_cap = mtu;
    };
    add("CA", "pve1", 4096);
    add("SWITCH", "old-switch", 2048);
    return report;
}

bool refuses(const Plan& made, std::string_view words) {
    return std::ranges::any_of(made.refusals, [&](const Error& one) { return one.text().contains(words); });
}

constexpr const char* to_4k = R"({"subnet_manager":{"partitions":[{"name":"Default","mtu":4096}]}})";

TEST(SubnetManager, ItsFilesChangeAndItIsRestarted) {
    const Plan made = plan_with(R"({"subnet_manager":{"priority":10,"ports":["0x0002c90300a1001a"],
        "partitions":[{"name":"Default","pkey":"0xffff","mtu":2048},{"name":"storage","pkey":"0x8001","mtu":4096}]}})",
                                debian());
    ASSERT_TRUE(made.refusals.empty()) << made.refusals.front().text();
    ASSERT_EQ(made.files.size(), 3u);
    EXPECT_EQ(made.files[0].path, "/etc/opensm/opensm.conf");
    EXPECT_EQ(made.files[0].after, "sm_priority 10\n");
    EXPECT_EQ(made.files[1].after, "PORTS=0x0002c90300a1001a\n");
    EXPECT_EQ(made.files[2].after,
              "Default=0x7fff,ipoib,mtu=4:ALL=full;\nstorage=0x0001,ipoib,mtu=5:ALL=full;\n");
    for (const auto& file : made.files)
        EXPECT_EQ(file.service, "opensm.service");
    EXPECT_TRUE(made.diff.contains("+storage=0x0001")) << made.diff;
}

TEST(SubnetManager, TwiceIsNoChange) {
    Files files = debian();
    for (const auto& file : plan_with(to_4k, files).files)
        files[file.path] = *file.after;
    EXPECT_TRUE(plan_with(to_4k, files).empty());
}

TEST(SubnetManager, ItsOwnOptionNamesThePartitionsFile) {
    Files files = debian();
    files["/etc/opensm/opensm.conf"] = "partition_config_file /etc/opensm/mine.conf\n";
    files["/etc/opensm/mine.conf"] = "Default=0x7fff,ipoib:ALL=full;\n";
    const Plan made = plan_with(to_4k, files);
    ASSERT_EQ(made.files.size(), 1u);
    EXPECT_EQ(made.files[0].path, "/etc/opensm/mine.conf");
}

TEST(SubnetManager, NoMtuThatASwitchCannotCarry) {
    const Plan made = plan_with(to_4k, debian(), mixed_fabric());
    EXPECT_TRUE(refuses(made, "old-switch port 1 carries 2048"));
    EXPECT_TRUE(plan_with(R"({"subnet_manager":{"partitions":[{"name":"Default","mtu":2048}]}})", debian(),
                          mixed_fabric())
                    .refusals.empty());
}

TEST(SubnetManager, AFabricThatWasNotAskedIsSaid) {
    const Plan made = plan_with(to_4k, debian());
    EXPECT_TRUE(std::ranges::any_of(made.notes,
                                    [](const auto& note) { return note.contains("could not be walked"); }));
}

TEST(SubnetManager, InterfacesAboveTheGroupAreNamed) {
    Network now;
    Link& ib0 = now.links.emplace_back();
    ib0.ifname = "ib0";
    ib0.info_kind = "ipoib";
    ib0.mtu = 4092;
    ib0.ipoib.emplace();
    ib0.ipoib->mode = "datagram";
    ib0.ipoib->key = "0xffff";
    const char* lower = R"({"subnet_manager":{"partitions":[{"name":"Default","mtu":2048}]}})";
    EXPECT_TRUE(refuses(plan_with(lower, debian(), {}, now), "would lower it without a word"));
    const char* both = R"({"subnet_manager":{"partitions":[{"name":"Default","mtu":2048}]},
                           "links":[{"name":"ib0","mtu":2044}]})";
    EXPECT_FALSE(refuses(plan_with(both, debian(), {}, now), "would lower it without a word"));
}

TEST(SubnetManager, WithoutOpensmIsRefused) {
    Files files = debian();
    files.erase("/etc/default/opensm");
    EXPECT_TRUE(refuses(plan_with(to_4k, files), "/etc/default/opensm is missing"));
}

TEST(SubnetManager, ABrokenFileIsNotEdited) {
    Files files = debian();
    files["/etc/opensm/partitions.conf"] = "Default=0x7fff,ipoib ALL=full;\n";
    EXPECT_TRUE(refuses(plan_with(to_4k, files), "a ':' in its line"));
}

TEST(SubnetManager, ItsDocumentIsReadStrictly) {
    const auto wrong = [](const std::string& members) {
        const auto parsed = parse_desired(R"({"subnet_manager":)" + members + "}", "test");
        return parsed ? "" : parsed.error().message;
    };
    EXPECT_TRUE(wrong(R"({"priority":16})").contains("0 to 15"));
    EXPECT_TRUE(wrong(R"({"partitions":[{"name":"Default","mtu":2044}]})").contains("256, 512"));
    EXPECT_TRUE(wrong(R"({"partitions":[{"name":"storage","mtu":4096}]})").contains("pkey"));
    EXPECT_TRUE(wrong(R"({"partitions":[{"name":"a:b;","pkey":"0x1"}]})").contains("letters"));
    EXPECT_TRUE(wrong(R"({"partitions":[{"name":"a","pkey":"0x1","members":["ALL;x=0x2:ALL"]}]})")
                    .contains("expected"));
    EXPECT_TRUE(wrong(R"({"priorty":1})").contains("no such member"));
}

TEST(SysctlProfile, RaisesWhatHelpsAndSaysWhatItLeavesOut) {
    Network now;
    now.sysctls = {{"net.core.rmem_max", "212992"},
                   {"net.core.wmem_max", "212992"},
                   {"net.ipv4.tcp_rmem", "4096 131072 33554432"},  // of a newer kernel
                   {"net.ipv4.tcp_wmem", "4096 16384 4194304"}};
    constexpr const char* profile =
        R"({"sysctl_profile":"throughput","sysctl":{"net.core.rmem_max":"1000000"}})";
    const Plan made = test::plan(now, profile);
    EXPECT_EQ(
        test::texts(made.steps),
        (std::vector<std::string>{"set net.core.rmem_max to 1000000 (now 212992)",
                                  "set net.core.wmem_max to 16777216 (now 212992)",
                                  "set net.ipv4.tcp_wmem to 4096 16384 16777216 (now 4096 16384 4194304)"}));
    const auto says = [](const Plan& plan, std::string_view words) {
        return std::ranges::any_of(plan.notes, [&](const auto& note) { return note.contains(words); });
    };
    EXPECT_TRUE(says(made, "net.ipv4.tcp_sack is left alone"));
    EXPECT_TRUE(test::plan(made.target, profile).steps.empty());
    EXPECT_TRUE(says(test::plan({}, profile), "wmem_max could not be read"));
    EXPECT_FALSE(parse_desired(R"({"sysctl_profile":"fast"})", "test"));
    now.sysctls["net.ipv4.tcp_timestamps"] = "1";
    EXPECT_TRUE(says(test::plan(now, R"({"sysctl":{"net.ipv4.tcp_timestamps":0}})"), "RFC 7323"));
}

}  // namespace
}  // namespace pve_rdma
