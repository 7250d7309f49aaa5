// dpkg's status file: only packages of interest, whatever the pieces it comes in.
#include "observe/packages.h"

#include "observed_tree.h"

namespace pve_rdma {
namespace {

constexpr const char* status =
    "Package: adduser\nStatus: install ok installed\nVersion: 3.134\nDescription: x\n Package: "
    "pve-manager\n\n"
    "Package: rdma-core\nStatus: install ok installed\nArchitecture: amd64\nVersion: 44.0-2\n"
    "Conffiles:\n /etc/rdma/modules/infiniband.conf 0123\nDescription: RDMA core\n more text\n\n"
    "Package: mlnx-ofed-kernel-dkms\nStatus: hold ok half-configured\nVersion: 24.10\n\n"
    "Package: libibverbs1\nStatus: deinstall ok config-files\nVersion: 44.0-2\n\n"
    "Package: opensm\nStatus: purge ok not-installed\n\n"
    "Package: pve-manager\nStatus: install ok installed\nArchitecture: all\nVersion: 9.2.11";

std::vector<Package> scanned(std::string_view text, std::size_t piece) {
    PackageScanner scanner;
    for (; !text.empty(); text.remove_prefix(std::min(piece, text.size())))
        scanner.feed(text.substr(0, piece));
    return scanner.finish();
}

TEST(Packages, OfInterestAreKeptWithTheirState) {
    const auto found = scanned(status, 1 << 20);
    ASSERT_EQ(found.size(), 4u);
    EXPECT_EQ(found[0], (Package{"libibverbs1", "44.0-2", std::nullopt, "config-files", false}));
    EXPECT_EQ(found[1], (Package{"mlnx-ofed-kernel-dkms", "24.10", std::nullopt, "half-configured", true}));
    EXPECT_EQ(found[2], (Package{"pve-manager", "9.2.11", "all", "installed", false}));
    EXPECT_EQ(found[3], (Package{"rdma-core", "44.0-2", "amd64", "installed", false}));
}

TEST(Packages, AreTheSameInPiecesOfAnySize) {
    const auto whole = scanned(status, 1 << 20);
    for (std::size_t piece = 1; piece < 70; ++piece)
        EXPECT_EQ(scanned(status, piece), whole) << piece;
}

TEST(Packages, AnEndlessLineDoesNotGrow) {
    PackageScanner scanner;
    const std::string blob(1 << 16, 'x');
    scanner.feed("Package: rdma-core\nVersion: ");
    for (int i = 0; i < 64; ++i)
        scanner.feed(blob);
    scanner.feed("\nStatus: install ok installed\n\n");
    const auto found = scanner.finish();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_LE(found[0].version.size(), std::size_t{1} << 16);
    EXPECT_EQ(found[0].status, "installed");
}

TEST(Packages, PatternsTakeFamiliesAndExactNames) {
    for (const char* name :
         {"proxmox-kernel-6.14.8-2-pve", "pve-manager", "libibumad3", "librdmacm1t64", "ofed-scripts",
          "doca-ofed", "ethtool", "ceph-osd", "proxmox-headers-6.14", "kmod-mlnx", "corosync"})
        EXPECT_TRUE(package_of_interest(name)) << name;
    for (const char* name : {"bash", "ethtool-dbg", "libc6", "iproute2-doc", ""})
        EXPECT_FALSE(package_of_interest(name)) << name;
}

TEST(Packages, GiveTheProxmoxVersion) {
    fixtures::Tree tree;
    tree.write("var/lib/dpkg/status", status);
    const NodeReport report = observe_tree(tree, {"packages"});
    EXPECT_EQ(report.system.proxmox_version, "9.2.11");
    EXPECT_EQ(report.system.packages.size(), 4u);
}

TEST(Packages, WithoutAStatusFileAreUnavailable) {
    const NodeReport report = observe_tree(fixtures::Tree(), {"packages"});
    EXPECT_EQ(report.sources.at("packages").unavailable, "ENOENT");
    EXPECT_EQ(report.system.proxmox_version, std::nullopt);
}

}  // namespace
}  // namespace pve_rdma
