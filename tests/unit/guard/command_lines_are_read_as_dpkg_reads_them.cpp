// dpkg's words, its process, and the plan that apt tells.
#include <gtest/gtest.h>

#include "guard/apt_plan.h"
#include "guard/caller.h"
#include "guard/dpkg_call.h"

namespace pve_rdma::guard {
namespace {

using Words = std::vector<std::string>;

DpkgCall call_of(const Words& words, std::string_view action) {
    const auto call = read_dpkg_call(words, action);
    EXPECT_TRUE(call.has_value()) << call.error().text();
    return call.value_or(DpkgCall{});
}

TEST(DpkgCall, NamesBeginWhereOptionsEnd) {
    for (const auto& [words, action] :
         {std::pair<Words, const char*>{{"dpkg", "-P", "a", "b"}, "purge"},
          {{"dpkg", "--purge", "--force-depends", "a", "b"}, "purge"},
          {{"dpkg", "--force", "depends", "-r", "a", "b"}, "remove"},
          {{"dpkg", "-D", "77", "-r", "--", "a", "b"}, "remove"},
          {{"dpkg", "-D77", "-GEBr", "a", "b"}, "remove"},
          {{"dpkg", "--status-fd", "9", "--abort-after=1", "--remove", "a", "b"}, "remove"},
          {{"x", "--root", "/", "--log", "-r", "--unpack", "a", "b"}, "unpack"}})
        EXPECT_EQ(call_of(words, action).names, (Words{"a", "b"})) << words[1];
    // What looks like an option behind the first name is none.
    EXPECT_EQ(call_of({"dpkg", "-P", "a", "--dry-run"}, "purge").names, (Words{"a", "--dry-run"}));
    EXPECT_FALSE(call_of({"dpkg", "-P", "a", "--dry-run"}, "purge").dry_run);
    EXPECT_EQ(call_of({"dpkg", "-P", "-", "x"}, "purge").names, (Words{"-", "x"}));
    EXPECT_FALSE(call_of({"dpkg", "-P", "--", "--dry-run"}, "purge").dry_run);
    // A value is no option.
    EXPECT_FALSE(call_of({"dpkg", "--log", "--dry-run", "-P", "a"}, "purge").dry_run);
}

TEST(DpkgCall, KnowsDryRunsMarksAndFolders) {
    for (const char* flag : {"--dry-run", "--no-act", "--simulate"})
        EXPECT_TRUE(call_of({"dpkg", flag, "-r", "a"}, "remove").dry_run) << flag;
    EXPECT_TRUE(call_of({"dpkg", "-ra"}, "remove").pending);
    EXPECT_TRUE(call_of({"dpkg", "--purge", "--pending"}, "purge").pending);
    EXPECT_TRUE(call_of({"dpkg", "-iR", "folder"}, "install").folders);
    EXPECT_FALSE(call_of({"dpkg", "-Da", "-r", "x"}, "remove").pending);  // the value of -D
}

TEST(DpkgCall, RefusesWordsThatAskForSomethingElse) {
    for (const Words& words : {Words{"dpkg", "-i", "a"}, Words{"bash"}, Words{}, Words{"dpkg", "a", "-P"},
                               Words{"dpkg", "--log", "--purge", "a"}, Words{"dpkg", "--configure", "-a"}})
        EXPECT_FALSE(read_dpkg_call(words, "purge").has_value());
}

TEST(DpkgCall, ForceIsAListOfWords) {
    EXPECT_TRUE(forces("depends,overwrite,downgrade", "overwrite"));
    EXPECT_FALSE(forces("overwrite-dir", "overwrite"));
    EXPECT_FALSE(forces("", "overwrite"));
}

constexpr const char* stat_line = "77 (a ) b (x) S 42 77 77 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 123456 9 9";

TEST(Caller, IsKnownByItsParentAndItsStart) {
    const auto process = parse_process(77, stat_line, std::string_view("dpkg\0-P\0\0x\0", 11));
    ASSERT_TRUE(process.has_value());
    EXPECT_EQ(process->parent, 42);
    EXPECT_EQ(process->started, "123456");
    EXPECT_EQ(process->words, (Words{"dpkg", "-P", "", "x"}));
    for (const char* bad :
         {"", ")", "77 (x) S", "no parenthesis 1 2 3", "77 (x) S x 1 1 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 12"})
        EXPECT_FALSE(parse_process(77, bad, "").has_value()) << bad;
}

TEST(Caller, IsNotTheShellThatStandsBetween) {
    const auto shell = [](const Words& words) { return is_shell_of({.id = 1, .words = words}, "/x/guard"); };
    EXPECT_TRUE(shell({"sh", "-c", "[ ! -x /x/guard ] || /x/guard dpkg"}));
    EXPECT_TRUE(shell({"sh", "-c", "--", "/x/guard dpkg"}));
    EXPECT_FALSE(shell({"sh", "-c", "dpkg -P a"}));
    EXPECT_FALSE(shell({"dpkg", "-P", "/x/guard"}));
    EXPECT_EQ((Process{.words = {"a", "b\n\x1b[2J"}}.line()), "a b??[2J");
}

const std::string head = "VERSION 3\nAPT::Architecture=amd64\nDir::State::status=/var/lib/dpkg/st%61tus\n\n";

TEST(AptPlan, TellsStepsAndTheirVersions) {
    const auto plan = read_apt_plan(head +
                                    "a 1 amd64 same > - - none **REMOVE**\n"
                                    "b - - none < 2 all foreign /var/cache/a b.deb\n"
                                    "c 1 all none < 2 all none **CONFIGURE**\n");
    ASSERT_TRUE(plan.has_value()) << plan.error().text();
    EXPECT_EQ(plan->status_file, "/var/lib/dpkg/status");
    ASSERT_EQ(plan->steps.size(), 3u);
    EXPECT_TRUE(plan->steps[0].removal);
    EXPECT_EQ(plan->steps[0].architecture, "amd64");
    EXPECT_EQ(plan->steps[0].old_version, "1");
    EXPECT_FALSE(plan->steps[1].removal);
    EXPECT_EQ(plan->steps[1].architecture, "all");
    EXPECT_EQ(plan->steps[1].old_version, "");
    EXPECT_EQ(plan->steps[2].new_version, "2");
}

TEST(AptPlan, RefusesWhatIsNoPlan) {
    for (const std::string& text :
         {std::string(), std::string("VERSION 2\n\n"), std::string("VERSION 3\na=b\n"),
          std::string("VERSION 3"), head + "a 1 amd64\n", head + "a  1 x x < x x x x\n", head + "\n"})
        EXPECT_FALSE(read_apt_plan(text).has_value()) << text;
    EXPECT_TRUE(read_apt_plan(head).has_value());
    EXPECT_TRUE(read_apt_plan("VERSION 3\nx=100%\nDir::State::status=%\n\n").has_value());
}

}  // namespace
}  // namespace pve_rdma::guard
