// Public reports of what a vendor's driver did to a machine, as small nodes and bundles of our own
// (tests/fixtures/ofed/cases.json): the check gives each its level, by the finding that the case is about.
// Those that facts cannot decide are named, with the reason.
//
// A case's level INFO means that what it is about is information: the verdict may be more, over what any
// driver costs.
#include <iostream>
#include <map>
#include <set>

#include <fmt/ranges.h>

#include "../doctor/judge.h"
#include "base/json_read.h"
#include "nodes.h"
#include "ofed/verdict.h"

namespace pve_rdma::ofed {
namespace {

using doctor::ordered_json;

template <class T>
T read(const ordered_json& document) {
    const std::string text = document.dump();
    const auto parsed = parse_json(text, "case");
    if (!parsed) throw std::runtime_error(parsed.error().text());
    JsonReader reader(text, "case");
    T value{};
    if (const auto done = reader.read(*parsed, value); !done) throw std::runtime_error(done.error().text());
    if (const auto unknown = reader.take_unknown(); !unknown.empty())
        throw std::runtime_error("a key that is not known: " + unknown.front().pointer);
    return value;
}

// The file says of kernel modules {name: "needs needs"}, in place of a list of objects.
ordered_json with_modules(ordered_json facts) {
    for (auto& kernel : facts["kernels"]) {
        ordered_json modules = ordered_json::array();
        const ordered_json needs_of = kernel.value("needs", ordered_json::object());
        for (const auto& [name, needs] : needs_of.items()) {
            ordered_json list = ordered_json::array();
            for (std::string_view rest = needs.get_ref<const std::string&>(); !rest.empty();) {
                const auto end = std::min(rest.find(' '), rest.size());
                list.push_back(rest.substr(0, end));
                rest.remove_prefix(std::min(end + 1, rest.size()));
            }
            modules.push_back({{"name", name}, {"origin", "kernel"}, {"needs", list}});
        }
        kernel.erase("needs");
        kernel["modules"] = modules;
    }
    return facts;
}

// A status file of tests/fixtures/ofed, and packages beside it: {name: "version", name: {field: value}}.
std::string status_text(const ordered_json& node) {
    std::string text;
    if (node.contains("status"))
        text = content_of(fixture_folder() / (node["status"].get<std::string>() + ".status"));
    const ordered_json packages = node.value("installed", ordered_json::object());
    for (const auto& [name, about] : packages.items()) {
        text += "Package: " + name + "\nStatus: install ok installed\nArchitecture: amd64\n";
        if (about.is_string())
            text += "Version: " + about.get<std::string>() + "\n";
        else
            for (const auto& [field, value] : about.items())
                text += field + ": " + value.get<std::string>() + "\n";
        text += "\n";
    }
    return text;
}

struct Case {
    Case(const ordered_json& file, const ordered_json& one) {
        node = file["nodes"][one["node"].get<std::string>()];
        if (one.contains("but")) node.merge_patch(one["but"]);
        auto parsed = parse_report(doctor::whole(node["report"]).dump(), "case");
        if (!parsed) throw std::runtime_error(parsed.error().text());
        if (!parsed->unknown.empty())
            throw std::runtime_error("a key that no report has: " + parsed->unknown.front().pointer);
        report = std::move(*parsed);
        facts = read<NodeFacts>(with_modules(node["facts"]));
        installed = Installed::parse(status_text(node), "case").value();
        for (auto bundle : one.value("bundles", ordered_json::array())) {
            ordered_json whole = file["bundles"][bundle["like"].get<std::string>()];
            bundle.erase("like");
            whole.merge_patch(bundle);
            bundles.push_back(read<Bundle>(whole));
            // Its own installer is that of its generation: the texts are tested in the bundles' tests.
            if (bundles.back().release)
                bundles.back().installer =
                    known_installer(*bundles.back().release, facts.point_release.value_or(""));
        }
        flags = one.value("flags", std::vector<std::string>());
        packages = one.value("packages", std::vector<std::string>());
        for (const auto& plan : one.value("plans", ordered_json::array()))
            plans.push_back(read<AptPlan>(plan));
        if (one.contains("owners")) owners.emplace(one["owners"].get<FileOwners>());
    }
    Judgement judged(const std::string& no_plans = {}) const {
        const doctor::Node known(report, "pve1");
        return judge({.node = known,
                      .facts = facts,
                      .installed = &installed,
                      .bundles = bundles,
                      .packages = packages,
                      .flags = InstallerFlags::parse(flags),
                      .plans = plans,
                      .no_plans = no_plans,
                      .owners = owners,
                      .pasted = {}});
    }

    ordered_json node;
    NodeReport report;
    NodeFacts facts;
    Installed installed;
    std::vector<Bundle> bundles;
    std::vector<std::string> flags, packages;
    std::vector<AptPlan> plans;
    std::optional<FileOwners> owners;
};

std::string words_of(const Judgement& judgement) {
    std::string words = doctor::shown(judgement.findings);
    for (const auto& one : judgement.unjudged)
        words += "  not decided: " + one.reason + "\n";
    return words;
}

bool names(const std::vector<std::string>& names, const ordered_json& wanted) {
    return std::ranges::all_of(wanted, [&](const ordered_json& one) {
        return std::ranges::find(names, one.get<std::string>()) != names.end();
    });
}

void check(const ordered_json& one, const Judgement& judgement) {
    const std::string level = one["level"];
    const auto& verdict = judgement.verdict;
    if (level == "INFO")
        EXPECT_NE(verdict.level, "BLOCK") << words_of(judgement);
    else
        EXPECT_EQ(verdict.level, level) << words_of(judgement);
    for (const auto& expected : one["expect"]) {
        const auto found = std::ranges::find_if(judgement.findings, [&](const auto& finding) {
            return doctor::meets(finding, expected) &&
                   (finding.message + " " + finding.remedy).find(expected.value("says", "")) !=
                       std::string::npos;
        });
        EXPECT_NE(found, judgement.findings.end()) << "not found: " << expected.dump() << "\n"
                                                   << words_of(judgement);
    }
    for (const auto& finding : judgement.findings) {
        EXPECT_FALSE(finding.subject.empty() || finding.message.empty()) << doctor::shown(finding);
        const bool expected = std::ranges::any_of(
            one["expect"], [&](const auto& wanted) { return doctor::meets(finding, wanted); });
        EXPECT_TRUE(finding.severity != doctor::Severity(doctor::Severity::error) || expected)
            << "not expected: " << doctor::shown(finding);
    }
    std::vector<std::string> removed, lost;
    for (const auto& package : verdict.removed)
        removed.push_back(package.name);
    for (const auto& module : verdict.modules)
        if (module.fate == "lost") lost.push_back(module.name);
    EXPECT_TRUE(names(removed, one.value("removed", ordered_json::array()))) << words_of(judgement);
    EXPECT_TRUE(names(lost, one.value("lost", ordered_json::array()))) << words_of(judgement);
    for (const auto& module : one.value("kept", ordered_json::array()))
        EXPECT_FALSE(names(lost, ordered_json::array({module}))) << module;
    for (const auto& words : one.value("plan", std::vector<std::string>()))
        EXPECT_NE(verdict.script.find(words), std::string::npos) << words << "\n" << verdict.script;
    EXPECT_EQ(verdict.stay, one.value("stay", verdict.stay)) << words_of(judgement);
}

TEST(PublicCases, EachGetsItsLevel) {
    const auto file = doctor::read_fixture("ofed/cases.json");
    std::set<std::string> decided;
    for (const auto& one : file["cases"]) {
        SCOPED_TRACE(one["case"].get<std::string>() + ": " + one["about"].get<std::string>());
        ASSERT_FALSE(one["expect"].empty());
        check(one, Case(file, one).judged());
        decided.insert(one["case"]);
    }
    for (const auto& [id, reason] : file["undecided"].items())
        EXPECT_FALSE(decided.contains(id)) << id << " is decided, and said not to be";
    std::cout << decided.size() << " cases are decided (" << file["cases"].size()
              << " nodes): " << fmt::format("{}", fmt::join(decided, " ")) << "\n"
              << file["undecided"].size() << " are not:\n";
    for (const auto& [id, reason] : file["undecided"].items())
        std::cout << "  " << id << ": " << reason.get<std::string>() << "\n";
}

TEST(Check, WhyAptCouldNotBeAskedIsSaidAndIsNotFine) {
    const auto file = doctor::read_fixture("ofed/cases.json");
    Case alone(file, {{"node", "pve8-cx5"}, {"packages", {"doca-ofed"}}});
    const auto judgement = alone.judged("/var/lib/dpkg/status: is malformed");
    EXPECT_EQ(judgement.verdict.level, "WARN");
    EXPECT_NE(words_of(judgement).find("about the packages: /var/lib/dpkg/status: is malformed"),
              std::string::npos)
        << words_of(judgement);
}

TEST(PublicCases, EveryVisibleOneIsInOneOfTheTwoListsAndItsLevelIsTheOneGiven) {
    const auto path = shared_folder() / "corpus/ofed-cases.json";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
    const auto file = doctor::read_fixture("ofed/cases.json");
    std::map<std::string, std::set<std::string>> levels;
    for (const auto& one : file["cases"])
        levels[one["case"]].insert(one["level"].get<std::string>());
    const auto visible = ordered_json::parse(content_of(path));
    EXPECT_GT(visible.size(), 40u);
    for (const auto& one : visible) {
        const std::string id = one["id"];
        if (file["undecided"].contains(id)) continue;
        EXPECT_TRUE(levels[id].contains(one["expected_level"]))
            << id << " is to be " << one["expected_level"];
    }
}

}  // namespace
}  // namespace pve_rdma::ofed
