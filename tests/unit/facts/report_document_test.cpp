// The report's document: written and read it is the same value, and what is wrong in one is located.
#include <gtest/gtest.h>

#include "facts/report.h"

namespace pve_rdma {
namespace {

// Every kind of member that a described struct can have, filled.
NodeReport full_report() {
    NodeReport report;
    report.taken = "2025-01-02T03:04:05Z";
    report.tool = "1.2.3";
    report.root = "/";
    report.system.hostname = "node-a";
    report.system.cpus = 0;  // a fact, also when it is 0
    report.system.sysctls = {{"net.ipv4.ip_forward", "1"}};
    report.system.modules.resize(1);
    report.system.modules[0].name = "mlx5_core";
    report.system.modules[0].parameters = {{"prof_sel", "2"}};
    report.system.packages = {{"rdma-core", "44.0-2", "amd64", "installed", true}};
    report.system.storages = {{"fast", "nfs", {"a"}, false, true}};
    report.system.memlock = {{"self", std::nullopt, "8388608", "unlimited"}};
    RdmaDevice& device = report.devices.emplace_back();
    device.name = "mlx4_0";
    device.node_guid = Guid{0};
    device.numa_node = -1;
    device.limits = {{"max_mr_size", 18446744073709551615u}};
    Port& port = device.ports.emplace_back();
    port.number = 4294967295u;
    port.rate_gbps = 2.5;
    port.subnet_prefix = 0xfe80000000000000u;
    port.gids.resize(1);
    port.gids[0].gid = Gid::from(0xfe80000000000000, Guid{5});
    port.pkeys = {{127, PKey{0x8001}}};
    port.counters = {{"a/b~c", 7}};
    PciDevice& pci = report.pci.emplace_back();
    pci.address = "0000:01:00.0";
    pci.links.emplace_back().current_speed_gts = 2.5;
    pci.vpd.emplace().part_number = "";
    report.sources["sysfs"].unread = {{"/sys/x", "EIO", "cannot read", ""}};
    report.sources["verbs"].unavailable = "recorded";
    return report;
}

TEST(ReportDocument, ReadsAsItWasWritten) {
    const NodeReport report = full_report();
    for (const int indent : {-1, 1, 4}) {
        const auto again = parse_report(report_json(report, indent), "report.json");
        ASSERT_TRUE(again) << again.error().text();
        EXPECT_EQ(*again, report);
    }
}

TEST(ReportDocument, AbsentIsNotEmptyAndNotZero) {
    NodeReport report = full_report();
    report.system.cpus.reset();
    const std::string text = report_json(report);
    EXPECT_EQ(text.find("\"cpus\""), std::string::npos);
    EXPECT_NE(report_json(full_report()).find("\"cpus\": 0"), std::string::npos);
}

TEST(ReportDocument, KeepsKeysOfANewerVersionWhereTheyStood) {
    std::string text = report_json(full_report(), -1);
    const auto put = [&](const std::string& before, const std::string& extra) {
        const auto at = text.find(before);
        ASSERT_NE(at, std::string::npos);
        text.insert(at, extra);
    };
    put("\"name\":\"mlx4_0\"", R"("color":{"deep":[1,2.5,"x"]},)");
    put("\"taken\"", R"("a/b~c":null,)");
    const auto report = parse_report(text, "new.json");
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_EQ(report->unknown.size(), 2u);
    const std::string written = report_json(*report, -1);
    EXPECT_NE(written.find(R"("color":{"deep":[1,2.5,"x"]})"), std::string::npos);
    EXPECT_NE(written.find(R"("a/b~c":null)"), std::string::npos);
    const auto again = parse_report(written, "again.json");
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, *report);
}

struct Refused {
    const char* what;
    std::string text;
    int line, column;
    const char* subject;
    const char* message;
};

TEST(ReportDocument, RefusesWithThePlaceOfTheError) {
    const std::string head = "{\"kind\":\"node-report\",\"v\":1,\n";
    const Refused cases[] = {
        {"a wrong type", head + "\"devices\":[{\"name\":7}]}", 2, 20, "/devices/0/name",
         "a string is expected"},
        {"a number out of range", head + "\"links\":[{\"ifindex\":4294967296,\"ifname\":\"\"}]}", 2, 21,
         "/links/0/ifindex", "0 to 4294967295 is expected"},
        {"a number that is not whole", head + "\"links\":[{\"ifindex\":1.5}]}", 2, 21, "/links/0/ifindex",
         "a whole number from 0 to"},
        {"a GUID that is none", head + "\"devices\":[{\"node_guid\":\"0xyz\"}]}", 2, 25,
         "/devices/0/node_guid", "not a GUID"},
        {"a string for a list", head + "\"pci\":\"x\"}", 2, 7, "/pci", "an array is expected"},
        {"a duplicate key", head + "\"pci\":[],\n\"pci\":[]}", 3, 1, "", "uplicate key"},
        {"trailing text", head + "\"pci\":[]} x", 2, 11, "", "not valid JSON"},
        {"another kind", "{\"kind\":\"x\",\"v\":1}", 1, 9, "/kind", "not a node report"},
        {"no version", "{\"kind\":\"node-report\"}", 1, 1, "/v", "version number"},
        {"a list", "[]", 1, 1, "", "not a JSON object"},
        {"nothing", "", 1, 1, "", "not valid JSON"},
    };
    for (const auto& wrong : cases) {
        const auto report = parse_report(wrong.text, "r.json");
        ASSERT_FALSE(report) << wrong.what;
        EXPECT_EQ(report.error().code, ErrorCode::malformed) << wrong.what;
        EXPECT_EQ(report.error().file, "r.json") << wrong.what;
        EXPECT_EQ(report.error().line, wrong.line) << wrong.what << ": " << report.error().text();
        EXPECT_EQ(report.error().column, wrong.column) << wrong.what << ": " << report.error().text();
        EXPECT_EQ(report.error().subject, wrong.subject) << wrong.what;
        EXPECT_NE(report.error().message.find(wrong.message), std::string::npos)
            << wrong.what << ": " << report.error().text();
    }
}

TEST(ReportDocument, FindsItsParts) {
    NodeReport report = full_report();
    report.links.resize(1);
    report.links[0].ifindex = 3;
    report.links[0].ifname = "ib0";
    EXPECT_EQ(report.find_device("mlx4_0"), &report.devices[0]);
    EXPECT_EQ(report.find_device("mlx4_1"), nullptr);
    EXPECT_EQ(report.find_link(3u), &report.links[0]);
    EXPECT_EQ(std::as_const(report).find_link("ib1"), nullptr);
    EXPECT_EQ(report.devices[0].find_port(4294967295u), &report.devices[0].ports[0]);
    EXPECT_EQ(report.devices[0].find_port(1), nullptr);
}

TEST(UnreadEntry, CarriesTheErrnosNameAndTheKernelsWords) {
    Error error = errno_error(EIO, "/sys/x", "cannot read");
    error.kernel_text = "broken";
    error.hint = "look at the kernel log";
    const Unread entry = Unread::from(error);
    EXPECT_EQ(entry.what, "/sys/x");
    EXPECT_EQ(entry.error, "EIO");
    EXPECT_EQ(entry.text, "cannot read (EIO: Input/output error) [kernel: broken]");
    EXPECT_EQ(entry.hint, "look at the kernel log");
    EXPECT_EQ(Unread::from(Error{.code = ErrorCode::malformed, .subject = "y", .message = "m"}).error,
              "malformed");
    EXPECT_EQ(Source::failed(error).unavailable, "EIO");
}

}  // namespace
}  // namespace pve_rdma
