// What a change would take off a node.
#include <algorithm>

#include <gtest/gtest.h>

#include "guard/database.h"
#include "guard/judge.h"
#include "guard/overwrites.h"
#include "guard/protected_set.h"

namespace pve_rdma::guard {
namespace {

constexpr const char* status = R"(Package: node
Status: install ok installed
Architecture: all
Version: 2.0
Depends: engine (>= 1), boot | other-boot

Package: engine
Status: hold ok installed
Architecture: amd64
Version: 1.5
Depends:
 libx (>= 1) | liby,
 mail
Pre-Depends: tools

Package: libx
Status: install ok unpacked
Architecture: amd64
Version: 1.2

Package: libx
Status: install ok installed
Architecture: i386
Version: 1.2

Package: tools
Status: install ok installed
Architecture: all
Version: 3

Package: postfix
Status: install ok installed
Architecture: amd64
Version: 3
Provides: mail
Conflicts: mail

Package: exim
Status: install ok installed
Architecture: amd64
Version: 3
Provides: mail (= 1)

Package: boot
Status: install ok installed
Architecture: all
Version: 1

Package: leftover
Status: deinstall ok config-files
Architecture: all
Version: 1

Package: broken
Status: install ok installed
Architecture: all
Version: 1
Depends: what-is-not-there, node

Package: leaf
Status: deinstall ok installed
Architecture: all
Version: 1
)";

const std::vector<Package> installed = parse_database(status);
const std::vector<Kept> kept = local_set("node\nbroken\nleft*\nboot | other-boot", "6.8");

std::vector<std::string> lost(const Change& change) {
    std::vector<std::string> names;
    for (const Loss& loss : judge(installed, kept, change))
        names.push_back(loss.package);
    std::ranges::sort(names);
    return names;
}

using Names = std::vector<std::string>;
const Names all{"broken", "node"};

TEST(Judge, AListedPackageIsLostByName) {
    EXPECT_EQ(lost({.removed = {"node"}}), all);
    EXPECT_EQ(lost({.removed = {"node:all"}}), all);
    EXPECT_EQ(lost({.removed = {"node:amd64"}}), Names{});
    EXPECT_EQ(lost({.removed = {"leaf", "leftover", "unknown"}}), Names{});
    EXPECT_EQ(lost({}), Names{});
}

TEST(Judge, DependentsFallInChains) {
    EXPECT_EQ(lost({.removed = {"tools"}}), all);
    EXPECT_EQ(lost({.removed = {"libx:i386"}}), Names{});  // the other architecture's stays
    EXPECT_EQ(lost({.removed = {"libx"}}), all);
    EXPECT_EQ(lost({.removed = {"postfix"}}), Names{});  // exim provides it too
    EXPECT_EQ(lost({.removed = {"postfix", "exim"}}), all);
    const auto losses = judge(installed, kept, {.removed = {"libx"}});
    EXPECT_EQ(losses[0].reason,
              "needs engine (>= 1), which needs libx (>= 1) | liby, which would be removed");
}

TEST(Judge, WhatComesCanTakeAPlace) {
    EXPECT_EQ(
        lost({.removed = {"libx"}, .incoming = {{.name = "liby", .architecture = "amd64", .version = "1"}}}),
        Names{});
    const auto libx = [](const char* version) {
        return Incoming{.name = "libx", .architecture = "amd64", .version = version};
    };
    EXPECT_EQ(lost({.incoming = {libx("2")}}), Names{});
    // The other architecture's copy still meets it.
    EXPECT_EQ(lost({.removed = {"libx:i386"}, .incoming = {libx("0.5")}}), all);
    EXPECT_EQ(lost({.incoming = {{.name = "node", .architecture = "all", .version = "1.9"}}}), Names{"node"});
    EXPECT_EQ(lost({.incoming = {{.name = "node", .architecture = "all", .version = "2.0"}}}), Names{});
}

TEST(Judge, ConflictsPushOutInBothDirections) {
    const Incoming vendor{
        .name = "vendor", .architecture = "all", .version = "1", .conflicts = "engine (<< 2)"};
    EXPECT_EQ(lost({.incoming = {vendor}}), all);
    Incoming past = vendor;
    past.conflicts = "engine (<< 1)";
    EXPECT_EQ(lost({.incoming = {past}}), Names{});
    // The conflicting one is upgraded in the same run.
    EXPECT_EQ(lost({.incoming = {vendor, {.name = "engine", .architecture = "amd64", .version = "2"}}}),
              Names{});
    Incoming breaks{.name = "vendor", .architecture = "all", .version = "1", .breaks = "node"};
    EXPECT_EQ(lost({.incoming = {breaks}}), all);
    // postfix conflicts with mail; exim still provides it.
    EXPECT_EQ(
        lost({.incoming = {{.name = "sendmail", .architecture = "all", .version = "1", .provides = "mail"}}}),
        Names{});
}

TEST(Judge, OneOfTheAlternativesMustStay) {
    EXPECT_EQ(lost({.removed = {"boot"}}), (Names{"boot", "broken", "node"}));
    EXPECT_EQ(lost({.removed = {"boot"}, .incoming = {{.name = "other-boot", .version = "1"}}}), Names{});
}

TEST(Judge, APlanOfAptIsJudgedByNames) {
    EXPECT_EQ(lost({.removed = {"libx:amd64", "libx:i386"}, .dependencies_hold = true}), Names{});
    EXPECT_EQ(lost({.removed = {"node:all"}, .dependencies_hold = true}), Names{"node"});
    // Taken away for a moment.
    EXPECT_EQ(lost({.removed = {"node:all"},
                    .incoming = {{.name = "node", .architecture = "all", .version = "3"}},
                    .dependencies_hold = true}),
              Names{});
}

TEST(Database, NotesOfACutOffRunCountMore) {
    const std::vector<std::string> notes{
        "Package: node\nStatus: deinstall ok half-configured\nArchitecture: all\nVersion: 3\n",
        "Package: fresh\nStatus: install ok installed\nArchitecture: all\n"};
    const auto packages = parse_database(status, notes);
    EXPECT_EQ(packages.size(), installed.size() + 1);
    EXPECT_EQ(packages[0].version, "3");
    EXPECT_EQ(marked_for_removal(packages, kept), Names{"node"});
    EXPECT_EQ(marked_for_removal(installed, kept), Names{});  // leaf is marked, and nobody's concern
}

TEST(Overwrites, TheNeededAreWhatTheListedStandOn) {
    const auto needed = needed_packages(installed, kept);
    Names names;
    for (std::size_t index = 0; index < installed.size(); ++index)
        if (needed[index]) names.emplace_back(installed[index].name);
    std::ranges::sort(names);
    EXPECT_EQ(names, (Names{"boot", "broken", "engine", "exim", "libx", "libx", "node", "postfix", "tools"}));
}

TEST(ProtectedSet, IsWhatTheTableSays) {
    const auto set = shipped_set("6.8.12-4-pve");
    for (const char* name :
         {"proxmox-ve", "pve-manager", "qemu-server", "pve-qemu-kvm", "ifupdown2", "corosync", "libibverbs1",
          "proxmox-kernel-6.8.12-4-pve-signed", "grub-pc", "linstor-controller"})
        EXPECT_TRUE(is_protected(set, name)) << name;
    for (const char* name : {"pve-rdma", "libpve-rdma-perl", "proxmox-kernel-6.5.13-1-pve", "harmless",
                             "ifupdown", "rdma-core", "ibverbs-providers", ""})
        EXPECT_FALSE(is_protected(set, name)) << name;
    for (const Kept& line : set)
        EXPECT_FALSE(line.why.empty() || line.patterns.empty());
    EXPECT_EQ(local_set("# nothing\n\n  \n", "").size(), 0u);
    EXPECT_EQ(local_set(" a | b # two\nc", "")[0].patterns, (Names{"a", "b"}));
}

}  // namespace
}  // namespace pve_rdma::guard
