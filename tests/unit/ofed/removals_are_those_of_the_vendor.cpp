// The removal step of the vendor's installers, against runs of the real ones (4.1, 4.9, 5.0) and replays with
// dpkg (24, 26): tests/fixtures/ofed/removals.json, and the whole status files where they lie beside the
// clone.
#include <gtest/gtest.h>

#include "base/json_document.h"
#include "nodes.h"
#include "ofed/plan/vendor_removal.h"
#include "ofed/tables.h"

namespace pve_rdma::ofed {
namespace {

std::vector<std::string> sorted(std::vector<std::string> names) {
    std::ranges::sort(names);
    return names;
}

std::vector<std::string> names_of(const Installed& node, const std::vector<std::size_t>& indices) {
    std::vector<std::string> names;
    for (const auto index : indices)
        names.emplace_back(node.at(index).name);
    return sorted(std::move(names));
}

// The runs were recorded with a list of what is protected that did not have these libraries yet.
bool protected_later(std::string_view name) {
    return name == "libcephfs2" || name == "libiscsi7" || name == "libradosstriper1" || name == "librgw2";
}

std::vector<std::string> protected_among(const std::vector<std::string>& names) {
    std::vector<std::string> found;
    for (const auto& name : names)
        if (protected_tier(name) && !protected_later(name)) found.push_back(name);
    return found;
}

VendorRemoval removal(const Installed& node, const std::string& generation,
                      const std::vector<std::string>& flags) {
    const auto installer = installer_generation(generation);
    if (!installer) throw std::runtime_error("no installer " + generation);
    return emulate_removal(node, *installer, InstallerFlags::parse(flags));
}

void check_run(const Installed& node, const OrderedJson& run) {
    const std::string generation = run["installer"];
    SCOPED_TRACE(run["status"].get<std::string>() + " with " + generation);
    const auto found = removal(node, generation, {"--force"});
    const auto removed = names_of(node, found.removed);
    EXPECT_EQ(to_string(found.outcome), run["outcome"].get<std::string>());
    EXPECT_EQ(removed, sorted(run["removed"].get<std::vector<std::string>>()));
    EXPECT_EQ(protected_among(removed), sorted(run["protected"].get<std::vector<std::string>>()));
    if (run.contains("arguments")) {
        EXPECT_EQ(found.arguments, run["arguments"].get<std::vector<std::string>>());
    }
    if (!run.contains("foreign")) return;
    const auto asking = removal(node, generation, {});
    EXPECT_EQ(asking.outcome, RemovalOutcome::stops);
    EXPECT_EQ(sorted(asking.foreign), sorted(run["foreign"].get<std::vector<std::string>>()));
}

const OrderedJson& recorded_runs() {
    static const auto file = OrderedJson::parse(content_of(fixture_folder() / "removals.json"));
    return file["runs"];
}

TEST(VendorRemoval, EighteenRunsOnThreeNodesAreExact) {
    ASSERT_EQ(recorded_runs().size(), 18u);
    for (const auto& run : recorded_runs())
        check_run(node_of(fixture_folder() / (run["status"].get<std::string>() + ".status")), run);
}

TEST(VendorRemoval, TheSameRunsOnTheWholeStatusFiles) {
    const auto folder = shared_folder() / "facts/ofed/status";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not here";
    const std::map<std::string, std::string> files{
        {"pve-ceph", "status.pve84"}, {"pve-plain", "status.pve84min"}, {"debian-kvm", "status.debkvm"}};
    for (const auto& run : recorded_runs())
        check_run(node_of(folder / files.at(run["status"])), run);
}

TEST(VendorRemoval, KernelOnlyProtectsLibrariesInNewInstallersAndNotInOldOnes) {
    const auto node = node_of(fixture_folder() / "pve-ceph.status");
    EXPECT_EQ(removal(node, "24", {"--kernel-only", "--force"}).outcome, RemovalOutcome::nothing);
    EXPECT_EQ(removal(node, "26-debian12", {"--kernel-only", "--force"}).outcome, RemovalOutcome::nothing);
    for (const std::string old : {"4.9", "5.0"})
        EXPECT_EQ(removal(node, old, {"--kernel-only", "--force"}).removed.size(), 37u) << old;
}

TEST(VendorRemoval, TheCircleThatNeverEndsIsNamed) {
    const auto node = node_of(fixture_folder() / "pve-plain.status");
    const auto found = removal(node, "4.1", {"--force"});
    ASSERT_GE(found.circle.size(), 3u);
    EXPECT_EQ(found.circle.front(), found.circle.back());
    EXPECT_NE(std::ranges::find(found.circle, "qemu-server"), found.circle.end());
    EXPECT_TRUE(removal(node, "5.0", {"--force"}).circle.empty());
}

}  // namespace
}  // namespace pve_rdma::ofed
