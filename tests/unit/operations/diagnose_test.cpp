// `pve-rdma diagnose` as the command line calls it: files in, findings or a located error out.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "facts/report.h"
#include "operations/operation.h"
#include "operations/reply.h"
#include "operations/request.h"

namespace pve_rdma {
namespace {

class Diagnose : public testing::Test {
  protected:
    Diagnose() {
        std::string pattern = (std::filesystem::temp_directory_path() / "pve-rdma-diagnose-XXXXXX").string();
        if (!::mkdtemp(pattern.data())) throw std::runtime_error("mkdtemp");
        folder_ = pattern;
    }
    ~Diagnose() override { std::filesystem::remove_all(folder_); }

    std::string file(const std::string& name, const std::string& content) {
        const auto path = folder_ / name;
        std::ofstream(path) << content;
        return path.string();
    }
    static Reply run(const std::map<std::string, std::vector<std::string>>& words) {
        const Operation* const operation = find_operation("diagnose");
        const auto request = Request::from_words(*operation, words);
        return request ? operation->run(*request) : Reply::failed("diagnose", request.error());
    }

    std::filesystem::path folder_;
};

NodeReport report_with_connected_mode() {
    NodeReport report;
    report.taken = "2025-01-01T00:00:00Z";
    report.system.hostname = "node-a";
    Link link;
    link.ifname = "ib0";
    link.link_type = "infiniband";
    link.mtu = 2044;
    link.ipoib.emplace().mode = "connected";
    report.links.push_back(link);
    return report;
}

TEST_F(Diagnose, ReadsARecordAndSaysWhatIsWrong) {
    const auto path = file("a.json", report_json(report_with_connected_mode()));
    const Reply reply = run({{"report", {path}}});
    ASSERT_TRUE(reply.findings) << reply.failure->text();
    ASSERT_EQ(reply.findings->size(), 1u);
    EXPECT_EQ(reply.findings->front().rule, "MTU-05");
    EXPECT_EQ(reply.findings->front().node, "node-a");
    EXPECT_EQ(reply.exit_code(), 0) << "a warning is no error";
    const auto json = nlohmann::json::parse(reply_json(reply, -1));
    EXPECT_EQ(json["findings"][0]["severity"], "warning");
    EXPECT_EQ(json["findings"][0]["certainty"], "certain");
    EXPECT_EQ(json["findings"][0]["evidence"][0]["path"], "/links/0/ipoib/mode");
    EXPECT_FALSE(json["unjudged"].empty());
}

TEST_F(Diagnose, ExitsWithOneOnAnError) {
    NodeReport report = report_with_connected_mode();
    Link bridge;
    bridge.ifname = "vmbr0";
    bridge.bridge.emplace();
    report.links.push_back(bridge);
    report.links[0].master = "vmbr0";
    const auto path = file("a.json", report_json(report));
    EXPECT_EQ(run({{"report", {path}}}).exit_code(), 1);
    EXPECT_EQ(run({{"report", {path}}, {"severity", {"error"}}}).exit_code(), 1);
    EXPECT_EQ(run({{"report", {path}}, {"rule", {"MTU-05"}}}).exit_code(), 0);
}

TEST_F(Diagnose, TextFitsTheScreen) {
    NodeReport report = report_with_connected_mode();
    report.system.hostname = "node\033[31m-a";
    const auto path = file("a.json", report_json(report));
    const Operation* const operation = find_operation("diagnose");
    const auto lines = [&](const std::map<std::string, std::vector<std::string>>& words, bool color) {
        return operation->text(run(words), {.color = color, .width = 80});
    };
    std::map<std::string, std::vector<std::string>> explain;
    for (const auto& text : {lines({{"report", {path}}}, false), lines({{"explain", {"MTU-01"}}}, false)}) {
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);)
            EXPECT_LE(line.size(), 80u) << line;
        EXPECT_EQ(text.find('\033'), std::string::npos) << "no colour, and none from a host's name";
    }
    EXPECT_NE(lines({{"report", {path}}}, true).find('\033'), std::string::npos);
}

// A located error, exit code 2, nothing else.
TEST_F(Diagnose, RefusesWhatIsNoReport) {
    const std::string good = report_json(report_with_connected_mode());
    NodeReport hostile = report_with_connected_mode();
    FabricWalk& walk = hostile.fabric.emplace_back();
    walk.nodes.resize(1);
    walk.links.resize(1);
    walk.links[0].to.node = 4'000'000'000u;
    NodeReport duplicate = report_with_connected_mode();
    duplicate.fabric.emplace_back().nodes.resize(1);
    duplicate.fabric[0].nodes[0].duplicate_of = 7;
    const std::map<std::string, std::string> bad{
        {"empty", ""},
        {"truncated", good.substr(0, good.size() / 2)},
        {"foreign", R"({"kind":"something else","v":1})"},
        {"deep", std::string(100'000, '[')},
        {"type", R"({"kind":"node-report","v":1,"links":[{"mtu":"much"}]})"},
        {"walk", report_json(hostile)},
        {"duplicate", report_json(duplicate)},
        {"not-json",
         "\x7f"
         "ELF"},
    };
    const auto fine = file("fine.json", good);
    for (const auto& [name, content] : bad) {
        const auto path = file(name, content);
        const Reply reply = run({{"report", {fine, path}}});
        ASSERT_TRUE(reply.failure) << name;
        EXPECT_EQ(reply.exit_code(), 2) << name;
        EXPECT_EQ(reply.failure->file, path) << name;
        EXPECT_FALSE(reply.findings) << name;
    }
    EXPECT_TRUE(run({{"report", {file("nothing", "").append("-there")}}}).failure);
}

TEST_F(Diagnose, ExplainsARule) {
    const Reply reply = run({{"explain", {"PHY-06"}}});
    ASSERT_TRUE(reply.rule);
    EXPECT_EQ(reply.rule->id, "PHY-06");
    ASSERT_EQ(reply.rule->thresholds.size(), 1u);
    EXPECT_FALSE(reply.rule->thresholds[0].why.empty());
    EXPECT_FALSE(reply.findings);
    EXPECT_EQ(run({{"explain", {"XYZ-99"}}}).exit_code(), 2);
    EXPECT_EQ(run({{"rule", {"XYZ-99"}}}).exit_code(), 2);
}

TEST_F(Diagnose, TakesFilesOnTheCommandLineOnly) {
    EXPECT_EQ(call("diagnose", Face::api, R"({"report":["/etc/shadow"]})").exit_code(), 2);
    EXPECT_EQ(call("diagnose", Face::ansible, R"({"root":"/tmp"})").exit_code(), 2);
    const Reply page = call("diagnose", Face::api, R"({"explain":"SM-01"})");
    EXPECT_TRUE(page.rule);
}

}  // namespace
}  // namespace pve_rdma
