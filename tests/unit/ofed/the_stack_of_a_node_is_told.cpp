// `pve-rdma ofed status`: which stack a node has, what is half done, what is left over, the way back. Small
// nodes, as files below a root, so that the reading is checked with the words.
#include <gtest/gtest.h>

#include "../../fixtures/tree.h"
#include "ofed/node_input.h"
#include "ofed/stack.h"

namespace pve_rdma::ofed {
namespace {

constexpr const char* kernel = "6.8.12-9-pve";
constexpr const char* inbox_modules =
    "kernel/drivers/infiniband/core/ib_core.ko:\nkernel/drivers/net/mlx5/core/mlx5_core.ko: "
    "kernel/drivers/infiniband/core/ib_core.ko\nkernel/drivers/net/mlx4/mlx4_core.ko:\n";
constexpr const char* vendor_modules =
    "updates/dkms/mlx_compat.ko:\nupdates/dkms/ib_core.ko: updates/dkms/mlx_compat.ko\n"
    "updates/dkms/mlx5_core.ko: updates/dkms/ib_core.ko updates/dkms/mlx_compat.ko\n";

std::string package(const std::string& name, const std::string& version, const std::string& depends = "",
                    const std::string& status = "install ok installed") {
    return "Package: " + name + "\nStatus: " + status + "\nArchitecture: amd64\nVersion: " + version +
           (depends.empty() ? "" : "\nDepends: " + depends) + "\n\n";
}

const std::string proxmox =
    package("proxmox-ve", "8.4.0", "librados2") + package("librados2", "17", "libibverbs1");
const std::string inbox_library = package("libibverbs1", "44.0-2");
const std::string vendor_library = package("libibverbs1", "2410mlnx54-1.2410068");
const std::string vendor_driver =
    package("mlnx-ofed-kernel-dkms", "24.10.OFED.24.10.2.1.8.1-1") + package("mlnx-tools", "24.10-0.2410068");

struct Node : fixtures::Tree {
    Node(const std::string& modules_dep, const std::string& loaded, const std::string& status) {
        write("proc/sys/kernel/osrelease", std::string(kernel) + "\n");
        write("proc/modules", loaded);
        write("proc/self/mountinfo", "");
        write(std::string("boot/vmlinuz-") + kernel, "");
        if (!modules_dep.empty()) write(std::string("lib/modules/") + kernel + "/modules.dep", modules_dep);
        if (!status.empty()) write("var/lib/dpkg/status", status);
    }
    DriverStack stack() const {
        const auto machine = Machine::open(root());
        if (!machine) throw std::runtime_error(machine.error().text());
        const auto installed = read_installed(*machine);
        return driver_stack(read_node_facts(*machine, kernel), installed ? &*installed : nullptr);
    }
};

std::string subjects(const std::vector<StackFault>& faults) {
    std::string out;
    for (const auto& fault : faults)
        out += fault.subject + " ";
    return out;
}

std::string commands(const DriverStack& stack) {
    std::string out;
    for (const auto& step : stack.back)
        for (const auto& command : step.commands)
            out += command + "\n";
    return out;
}

constexpr const char* inbox_loaded = "mlx5_core 1 0 - Live 0x0\nib_core 1 1 mlx5_core, Live 0x0\n";
constexpr const char* vendor_loaded =
    "mlx5_core 1 0 - Live 0x0\nib_core 1 1 mlx5_core, Live 0x0\nmlx_compat 1 2 - Live 0x0\n";

TEST(DriverStack, TheKernelsOwnDriverNeedsNoWayBack) {
    const auto stack = Node(inbox_modules, inbox_loaded, proxmox + inbox_library).stack();
    EXPECT_EQ(stack.stack, "inbox");
    EXPECT_EQ(stack.loaded, "inbox");
    EXPECT_EQ(stack.libraries, "inbox");
    EXPECT_TRUE(stack.half_done.empty()) << subjects(stack.half_done);
    EXPECT_TRUE(stack.leftovers.empty()) << subjects(stack.leftovers);
    EXPECT_TRUE(stack.back.empty());
}

TEST(DriverStack, TheVendorsIsNamedWithItsReleaseAndItsLibrariesAreReplacedBeforeTheyGo) {
    const auto stack = Node(vendor_modules, vendor_loaded, proxmox + vendor_library + vendor_driver).stack();
    EXPECT_EQ(stack.stack, "OFED");
    EXPECT_EQ(stack.release, "24.10.2.1.8.1");
    EXPECT_TRUE(stack.half_done.empty()) << subjects(stack.half_done);
    const auto way = commands(stack);
    const auto replaced = way.find("--allow-downgrades libibverbs1/\"$VERSION_CODENAME\"");
    const auto removed = way.find("apt-get purge mlnx-ofed-kernel-dkms mlnx-tools\n");
    ASSERT_NE(replaced, std::string::npos) << way;
    ASSERT_NE(removed, std::string::npos) << way;
    EXPECT_LT(replaced, removed);
}

TEST(DriverStack, DocaIsKnownByItsPackages) {
    const auto status = proxmox + vendor_library + vendor_driver + package("doca-ofed", "2.9.1");
    EXPECT_EQ(Node(vendor_modules, vendor_loaded, status).stack().stack, "DOCA");
    // Removed, with only its configuration left, it does not count.
    const auto removed = proxmox + vendor_library + vendor_driver +
                         package("doca-host", "2.9.1", "", "deinstall ok config-files");
    EXPECT_EQ(Node(vendor_modules, vendor_loaded, removed).stack().stack, "OFED");
}

TEST(DriverStack, ModulesOfOneAndLibrariesOfTheOtherAreMixed) {
    EXPECT_EQ(Node(vendor_modules, vendor_loaded, proxmox + inbox_library + vendor_driver).stack().stack,
              "mixed");
    EXPECT_EQ(Node(inbox_modules, inbox_loaded, proxmox + vendor_library).stack().stack, "mixed");
}

TEST(DriverStack, APartOfTheModulesIsNoDriver) {
    // A port of the vendor's core beside the kernel's own mlx4.
    const auto modules = std::string(vendor_modules) + "kernel/drivers/net/mlx4/mlx4_core.ko:\n";
    const auto loaded = std::string(vendor_loaded) + "mlx4_core 1 0 - Live 0x0\n";
    const auto stack = Node(modules, loaded, proxmox + vendor_library + vendor_driver).stack();
    EXPECT_EQ(stack.stack, "mixed");
    EXPECT_EQ(stack.kernels.at(0).drivers, "mixed");
    EXPECT_EQ(subjects(stack.half_done), std::string(kernel) + " ");
}

TEST(DriverStack, WhatDpkgDidNotFinishIsNamedTheKernelWithItsCause) {
    Node node(
        inbox_modules, inbox_loaded,
        proxmox + inbox_library +
            package("mlnx-ofed-kernel-dkms", "24.10.OFED.24.10.2.1.8.1-1", "", "install ok half-configured") +
            package("proxmox-kernel-6.8.12-10-pve-signed", "6.8.12-10", "", "install ok half-configured") +
            package("unrelated", "1", "", "install ok half-configured"));
    node.write("var/lib/dkms/mlnx-ofed-kernel/24.10.OFED.24.10.2.1.8.1/source", "");
    const auto stack = node.stack();
    EXPECT_EQ(subjects(stack.half_done),
              "mlnx-ofed-kernel-dkms proxmox-kernel-6.8.12-10-pve-signed " + std::string(kernel) + " ");
    EXPECT_NE(stack.half_done.at(1).remedy.find("DKMS"), std::string::npos);
}

TEST(DriverStack, ADriverThatWaitsForTheNextBootIsToldBothWays) {
    auto stack = Node(vendor_modules, inbox_loaded, proxmox + inbox_library + vendor_driver).stack();
    EXPECT_EQ(stack.loaded, "inbox");
    EXPECT_EQ(subjects(stack.half_done), std::string(kernel) + " ");
    stack = Node(inbox_modules, vendor_loaded, proxmox + inbox_library).stack();
    EXPECT_EQ(stack.loaded, "vendor");
    EXPECT_EQ(subjects(stack.half_done), std::string(kernel) + " ");
}

TEST(DriverStack, ANodeThatLostProxmoxIsToldWhatToPutBack) {
    const auto gone = [](const char* name) { return package(name, "8", "", "deinstall ok config-files"); };
    const auto stack =
        Node(inbox_modules, inbox_loaded,
             gone("proxmox-ve") + gone("pve-manager") + gone("pve-kernel-5.15.1-1-pve") + inbox_library)
            .stack();
    ASSERT_EQ(subjects(stack.half_done), "proxmox-ve ");
    EXPECT_EQ(stack.half_done[0].remedy.substr(stack.half_done[0].remedy.find("apt-get")),
              "apt-get install proxmox-ve pve-manager");
}

TEST(DriverStack, LeftoversAreThoseThatNoPackageAccountsFor) {
    const auto rest = package("mlnx-tools", "24.10-0.2410068", "", "deinstall ok config-files");
    Node node(inbox_modules, inbox_loaded, proxmox + inbox_library + rest);
    node.write("usr/sbin/ofed_uninstall.sh", "#!/bin/sh\n");
    node.write("etc/apt/sources.list.d/doca.list",
               "deb https://linux.mellanox.com/public/repo/doca/2.9/ ./\n");
    node.write("var/lib/dkms/mlnx-nvme/24.10/source", "");
    auto stack = node.stack();
    EXPECT_EQ(stack.stack, "inbox");
    EXPECT_EQ(subjects(stack.leftovers),
              "mlnx-tools mlnx-nvme/24.10 /usr/sbin/ofed_uninstall.sh /etc/apt/sources.list.d/doca.list ");
    EXPECT_EQ(stack.back.at(1).title, "Do not run ofed_uninstall.sh");
    // The same files beside the vendor's packages are parts of the driver.
    node.write("var/lib/dpkg/status", proxmox + vendor_library + vendor_driver);
    EXPECT_TRUE(node.stack().leftovers.empty());
}

TEST(DriverStack, WhatCannotBeReadIsUnknownAndNotInbox) {
    EXPECT_EQ(Node(inbox_modules, inbox_loaded, "").stack().stack, "unknown");
    EXPECT_EQ(Node("", "", proxmox + inbox_library).stack().stack, "unknown");
    Node node(inbox_modules, inbox_loaded, proxmox + inbox_library);
    std::filesystem::remove(node.path("proc/modules"));
    EXPECT_EQ(node.stack().stack, "unknown");
}

}  // namespace
}  // namespace pve_rdma::ofed
