// Every rule, by small reports (tests/fixtures/rules.json): where it speaks, and where it must not.
#include "doctor/rules.h"

#include <algorithm>
#include <regex>
#include <set>

#include "judge.h"

namespace pve_rdma::doctor {
namespace {

bool names(const std::vector<Unjudged>& unjudged, const std::string& rule) {
    return std::ranges::any_of(
        unjudged, [&](const Unjudged& one) { return std::ranges::find(one.rules, rule) != one.rules.end(); });
}

TEST(Rules, SpeakWhereTheyShould) {
    const auto file = read_fixture("rules.json");
    for (const auto& entry : file["rules"])
        for (const auto& one : entry["fires"]) {
            SCOPED_TRACE(entry["rule"].get<std::string>() + " " + one["reports"].dump());
            const Judged judged = judge(one);
            const auto& found = judged.diagnosis.findings;
            EXPECT_TRUE(std::ranges::any_of(
                found, [&](const auto& finding) { return meets(finding, one["expect"]); }))
                << "not found: " << one["expect"].dump() << "\n"
                << shown(found);
            for (const auto& finding : found)
                expect_sound(judged, finding);
        }
}

TEST(Rules, AreSilentWhereAllIsWell) {
    const auto file = read_fixture("rules.json");
    for (const auto& entry : file["rules"])
        for (const auto& one : entry["silent"]) {
            const std::string rule = entry["rule"];
            SCOPED_TRACE(rule + " " + one["reports"].dump());
            const Judged judged = judge(one);
            for (const auto& finding : judged.diagnosis.findings) {
                EXPECT_NE(finding.rule, rule) << shown(finding);
                expect_sound(judged, finding);
            }
        }
}

TEST(Rules, AreAllTestedBothWays) {
    std::set<std::string> fire, silent;
    const auto file = read_fixture("rules.json");
    for (const auto& entry : file["rules"]) {
        if (!entry["fires"].empty()) fire.insert(entry["rule"]);
        if (!entry["silent"].empty()) silent.insert(entry["rule"]);
    }
    for (const auto& rule : rules()) {
        EXPECT_TRUE(fire.contains(std::string(rule.id))) << rule.id;
        EXPECT_TRUE(silent.contains(std::string(rule.id))) << rule.id;
    }
    EXPECT_EQ(fire.size(), rules().size());
}

// The table of the first 67, as it was agreed; more may come, none may go.
TEST(Rules, HoldTheAgreedTable) {
    const std::vector<std::pair<std::string, int>> agreed{
        {"MOD", 6},  {"DRV", 2},  {"PHY", 10}, {"PROTO", 3}, {"SM", 11},
        {"GUID", 4}, {"LID", 2},  {"MTU", 10}, {"IPOIB", 4}, {"PCI", 2},
        {"ETH", 4},  {"ROCE", 2}, {"FW", 3},   {"SRIOV", 1}, {"SYS", 3}};
    int count = 0;
    for (const auto& [family, number] : agreed)
        for (int i = 1; i <= number; ++i, ++count)
            EXPECT_NE(find_rule(fmt::format("{}-{:02}", family, i)), nullptr) << family << " " << i;
    EXPECT_EQ(count, 67);
    EXPECT_GE(rules().size(), 67u);
}

TEST(Rules, HavePagesThatSayEverything) {
    std::set<std::string_view> ids;
    for (const auto& rule : rules()) {
        SCOPED_TRACE(rule.id);
        EXPECT_TRUE(ids.insert(rule.id).second) << "an id twice";
        EXPECT_TRUE(std::regex_match(std::string(rule.id), std::regex("[A-Z]+-[0-9]{2}")));
        EXPECT_TRUE(rule.node || rule.fabric || rule.cluster || rule.afterwards);
        const RulePage page = RulePage::of(rule);
        for (const auto& text :
             {page.family, page.title, page.reads, page.condition, page.meaning, page.remedy, page.sources})
            EXPECT_FALSE(text.empty());
        for (const auto& limit : page.thresholds) {
            EXPECT_FALSE(limit.name.empty());
            EXPECT_FALSE(limit.why.empty());
        }
    }
}

// What nobody has read is neither fine nor wrong: a report of nothing gives no finding, and says so.
TEST(Rules, JudgeNothingOfAnEmptyReport) {
    NodeReport report;
    report.system.hostname = "node-a";
    const std::vector<Input> inputs{{report, "empty"}};
    const auto diagnosis = diagnose(Cluster(inputs));
    EXPECT_TRUE(diagnosis.findings.empty()) << shown(diagnosis.findings);
    for (const auto& rule : rules()) {
        if (!rule.node || rule.needs.empty()) continue;
        EXPECT_TRUE(names(diagnosis.unjudged, std::string(rule.id))) << rule.id << " is taken for fine";
    }
}

TEST(Rules, AreChosenByNameAndSeverity) {
    const auto one = read_fixture("rules.json")["rules"][0]["fires"][0];  // MOD-01, an error
    auto parsed = parse_report(whole(one["reports"][0]).dump(), "case");
    ASSERT_TRUE(parsed);
    const std::vector<Input> inputs{{*parsed, "case"}};
    const Cluster cluster(inputs);
    EXPECT_TRUE(diagnose(cluster, {.rules = {"MTU-05"}}).findings.empty());
    EXPECT_TRUE(diagnose(cluster, {.rules = {"MTU-05"}}).unjudged.empty());
    EXPECT_TRUE(diagnose(cluster, {.rules = {"MOD-01"}}).has_errors());
    for (const auto& finding : diagnose(cluster, {.least = Severity::error}).findings)
        EXPECT_EQ(finding.severity, Severity(Severity::error));
}

}  // namespace
}  // namespace pve_rdma::doctor
