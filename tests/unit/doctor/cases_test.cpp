// Public reports of trouble as small reports of our own (tests/fixtures/cases.json): each gives the finding
// that helps, and nothing worse that is not there. Those that facts cannot decide yet are named, with the
// reason.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>

#include "judge.h"

namespace pve_rdma::doctor {
namespace {

TEST(Cases, EachGivesWhatItShouldAndNothingWorse) {
    const auto file = read_fixture("cases.json");
    std::set<std::string> decided;
    for (const auto& one : file["cases"]) {
        const std::string name = one["case"].get<std::string>() + ": " + one["about"].get<std::string>();
        SCOPED_TRACE(name);
        const Judged judged = judge(one);
        const auto& found = judged.diagnosis.findings;
        for (const auto& expected : one["expect"])
            EXPECT_TRUE(
                std::ranges::any_of(found, [&](const auto& finding) { return meets(finding, expected); }))
                << "not found: " << expected.dump() << "\n"
                << shown(found);
        for (const auto& finding : found) {
            expect_sound(judged, finding);
            if (one.contains("nothing")) ADD_FAILURE() << "a negative control: " << shown(finding);
            if (finding.severity == Severity(Severity::info)) continue;
            EXPECT_TRUE(std::ranges::any_of(one["expect"],
                                            [&](const auto& expected) { return meets(finding, expected); }))
                << "not expected: " << shown(finding);
        }
        decided.insert(one["case"]);
    }
    std::map<std::string, std::vector<std::string>> reasons;
    for (const auto& [id, reason] : file["undecided"].items()) {
        EXPECT_FALSE(decided.contains(id)) << id << " is decided, and said not to be";
        reasons[reason].push_back(id);
    }
    std::cout << decided.size() << " cases are decided (" << file["cases"].size() << " reports), "
              << file["undecided"].size() << " not yet:\n";
    for (const auto& [reason, ids] : reasons)
        std::cout << fmt::format("  {}: {}\n", fmt::join(ids, " "), reason);
}

TEST(Cases, EveryVisibleCaseIsInOneOfTheTwoLists) {
    const char* shared = std::getenv("PVE_RDMA_SHARED");
    const std::filesystem::path folder = shared ? shared : std::string(PVE_RDMA_SOURCE_DIR) + "/../shared";
    std::ifstream corpus(folder / "corpus/cases.jsonl");
    if (!corpus) GTEST_SKIP() << (folder / "corpus/cases.jsonl") << " is not here";
    const auto file = read_fixture("cases.json");
    std::set<std::string> listed;
    for (const auto& one : file["cases"])
        listed.insert(one["case"]);
    for (const auto& [id, reason] : file["undecided"].items())
        listed.insert(id);
    std::size_t seen = 0;
    for (std::string line; std::getline(corpus, line);) {
        const auto one = ordered_json::parse(line);
        const std::string id = one["id"], family = one["family"];
        if (!std::string("ABCDEH").contains(family)) continue;
        ++seen;
        EXPECT_TRUE(listed.contains(id)) << id << " is neither decided nor said not to be";
    }
    EXPECT_GT(seen, 50u);
}

}  // namespace
}  // namespace pve_rdma::doctor
