// The node around the cards.
#include "observe/modules.h"
#include "observe/system_values.h"
#include "observed_tree.h"

namespace pve_rdma {
namespace {

class ProxmoxNode : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        report = new NodeReport(observe_tree(fixtures::Tree("proxmox"), {"system", "modules"}));
    }
    static void TearDownTestSuite() {
        delete report;
        report = nullptr;
    }
    static const Module& module(const std::string& name) {
        const auto found = std::ranges::find(report->system.modules, name, &Module::name);
        if (found == report->system.modules.end()) throw std::runtime_error("no module " + name);
        return *found;
    }
    static NodeReport* report;
};
NodeReport* ProxmoxNode::report = nullptr;

TEST_F(ProxmoxNode, HasItsKernelAndDistribution) {
    const System& system = report->system;
    EXPECT_EQ(system.hostname, "node-a");
    EXPECT_EQ(system.kernel_release, "6.14.8-2-pve");
    EXPECT_EQ(system.distribution, "Debian GNU/Linux 13 (trixie)");
    EXPECT_EQ(system.debian_version, "13.1");
    EXPECT_EQ(system.cluster_filesystem, true);
    EXPECT_EQ(system.cpus, 32u);
    EXPECT_EQ(system.numa_nodes, 2u);
    EXPECT_EQ(system.iommu, true);
    EXPECT_EQ(system.secure_boot, "enabled");
    EXPECT_EQ(system.lockdown, "integrity");
    EXPECT_EQ(system.huge_pages, (std::vector<HugePages>{{2048, 512, 500}}));
    EXPECT_EQ(unread(*report), std::vector<std::string>{});
}

TEST_F(ProxmoxNode, KeepsOnlyWordsOfTheCommandLineThatMatter) {
    EXPECT_EQ(report->system.command_line,
              (std::vector<std::string>{"intel_iommu=on", "iommu=pt", "mlx4_core.port_type_array=1,1",
                                        "net.ifnames=0"}));
}

TEST_F(ProxmoxNode, KnowsHowMuchMayBePinned) {
    EXPECT_EQ(report->system.memlock,
              (std::vector<MemlockLimit>{{"self", std::nullopt, "8388608", "unlimited"},
                                         {"pvedaemon", 1400, "unlimited", "unlimited"}}))
        << "a pid file without a number is passed over";
}

TEST_F(ProxmoxNode, HasSettingsByTheirNames) {
    EXPECT_EQ(report->system.sysctls.at("net.ipv4.ip_forward"), "1");
    EXPECT_EQ(report->system.sysctls.at("net.ipv4.conf.all.rp_filter"), "2");
    EXPECT_EQ(report->system.sysctls.at("net.ipv4.tcp_rmem"), "4096\t131072\t6291456");
    EXPECT_FALSE(report->system.sysctls.contains("net.core.rmem_max")) << "absent is not empty";
}

TEST_F(ProxmoxNode, KnowsWhereALoadedModuleCameFrom) {
    const Module& mlx5 = module("mlx5_core");
    EXPECT_TRUE(mlx5.loaded);
    EXPECT_EQ(mlx5.built_in, std::nullopt);
    EXPECT_EQ(mlx5.version, "24.10-1.1.4");
    EXPECT_EQ(mlx5.reference_count, 2u);
    EXPECT_EQ(mlx5.taint, "OE");
    EXPECT_EQ(mlx5.holders, std::vector<std::string>{"mlx5_ib"});
    EXPECT_EQ(mlx5.parameters, (std::map<std::string, std::string>{{"prof_sel", "2"}}));
    EXPECT_EQ(mlx5.file, "updates/dkms/mlx5_core.ko.zst");
    EXPECT_EQ(mlx5.origin, "dkms");
}

TEST_F(ProxmoxNode, KnowsModulesThatAreBuiltInOrOnlyThere) {
    EXPECT_EQ(module("bridge").built_in, true);
    EXPECT_TRUE(module("8021q").loaded);
    EXPECT_FALSE(module("ib_umad").loaded);
    EXPECT_EQ(module("ib_umad").origin, "kernel");
    EXPECT_EQ(report->system.modules.size(), 4u) << "sound is none of our business";
}

TEST(SystemValues, CountsListsOfProcessors) {
    EXPECT_EQ(count_in_list("0-3,8,10-11"), 7u);
    EXPECT_EQ(count_in_list("0"), 1u);
    EXPECT_EQ(count_in_list("3-1"), std::nullopt);
    EXPECT_EQ(count_in_list("0-4294967295"), std::nullopt);
    EXPECT_EQ(count_in_list("a"), std::nullopt);
}

TEST(SystemValues, ReadsTheReleaseOfAVersionLine) {
    EXPECT_EQ(version_release("Linux version 4.18.0-240.el8 (mockbuild@x) #1"), "4.18.0-240.el8");
    EXPECT_EQ(version_release("Linux version "), std::nullopt);
    EXPECT_EQ(version_release("Windows"), std::nullopt);
}

TEST(SystemValues, WithoutEfiThereIsNoSecureBoot) {
    fixtures::Tree tree;
    tree.add("sys/firmware/");
    EXPECT_EQ(observe_tree(tree, {"system"}).system.secure_boot, "no EFI");
    EXPECT_EQ(observe_tree(fixtures::Tree(), {"system"}).system.secure_boot, std::nullopt);
}

TEST(ModuleLine, HasPathNameAndOrigin) {
    const auto file = parse_module_line("updates/dkms/nvme-rdma.ko.xz: a.ko");
    ASSERT_TRUE(file);
    EXPECT_EQ(file->name, "nvme_rdma");
    EXPECT_EQ(file->origin, "dkms");
    EXPECT_EQ(parse_module_line("extra/knem.ko:")->origin, "extra");
    for (const char* line : {"", ":", "kernel/x", ".ko:", "/.ko"})
        EXPECT_FALSE(parse_module_line(line)) << line;
}

}  // namespace
}  // namespace pve_rdma
