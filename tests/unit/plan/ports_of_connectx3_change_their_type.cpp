#include <algorithm>

#include "network/port_type.h"
#include "support.h"

namespace pve_rdma {
namespace {

using test::plan, test::texts;

constexpr const char* to_ethernet =
    R"({"port_types":[{"device":"0000:03:00.0","port":1,"type":"eth"},{"device":"0000:03:00.0","port":2,"type":"eth"}]})";

// Both ports InfiniBand, their interfaces down and bare.
FakeKernel card() {
    FakeKernel kernel;
    for (const auto* name : {"ib0", "ib1"})
        kernel.add_ethernet(name).parentdev = "0000:03:00.0";
    kernel.network().sysctls = {{"port_type.0000:03:00.0.1", "ib"}, {"port_type.0000:03:00.0.2", "ib"}};
    return kernel;
}

bool refuses(const Plan& made, std::string_view words) {
    return std::ranges::any_of(made.refusals, [&](const Error& one) { return one.text().contains(words); });
}

TEST(PortType, IsAStepThatSaysWhatItCosts) {
    FakeKernel kernel = card();
    const Plan made = plan(*kernel.read(), to_ethernet);
    ASSERT_TRUE(made.refusals.empty()) << made.refusals.front().text();
    EXPECT_EQ(texts(made.steps),
              (std::vector<std::string>{"set the type of port 1 of 0000:03:00.0 to eth (now ib)",
                                        "set the type of port 2 of 0000:03:00.0 to eth (now ib)"}));
    EXPECT_TRUE(made.steps.front().risk().contains("come back bare"));
    const Network before = *kernel.read();
    test::carry_out(kernel, made.steps);
    EXPECT_TRUE(plan(*kernel.read(), to_ethernet).steps.empty());
    test::carry_out(kernel, inverse(made.steps));
    EXPECT_EQ(kernel.read()->sysctls, before.sysctls);
}

TEST(PortType, IsRefusedWhileTheCardIsInUse) {
    FakeKernel kernel = card();
    test::bring_to(kernel, R"({"links":[{"name":"ib1","up":true}]})");
    EXPECT_TRUE(refuses(plan(*kernel.read(), to_ethernet), "ib1 is up"));
    EXPECT_TRUE(
        refuses(plan(*card().read(), R"({"port_types":[{"device":"0000:03:00.0","port":1,"type":"auto"}],
                                                 "links":[{"name":"ib0","mtu":2000}]})"),
                "about ib0 too"));
    EXPECT_TRUE(
        refuses(plan(*card().read(), R"({"port_types":[{"device":"0000:03:00.0","port":1,"type":"eth"}]})"),
                "on port 1 only"));
    EXPECT_TRUE(
        refuses(plan(*card().read(), R"({"port_types":[{"device":"0000:04:00.0","port":1,"type":"eth"}]})"),
                "no such port"));
}

TEST(PortType, IsKeptByARuleOfUdev) {
    FakeKernel kernel = card();
    std::map<std::string, std::string> content{
        {"/etc/network/interfaces", "auto lo\niface lo inet loopback\n"}};
    const auto file = "/etc/udev/rules.d/90-pve-rdma-port-types.rules";
    content[file] = "# mine\n";
    eni::MemoryFiles files(content);
    const Plan made = plan(*kernel.read(), to_ethernet, &files);
    ASSERT_EQ(made.files.size(), 1u);
    content[file] = *made.files.front().after;
    EXPECT_TRUE(
        content[file].starts_with("# mine\nACTION==\"add|bind\", SUBSYSTEM==\"pci\", DRIVER==\"mlx4_core\", "
                                  "KERNEL==\"0000:03:00.0\", ATTR{mlx4_port1}=\"eth\"\n"))
        << content[file];
    eni::MemoryFiles kept(content);
    test::carry_out(kernel, made.steps);
    EXPECT_TRUE(plan(*kernel.read(), to_ethernet, &kept).empty());
}

TEST(PortType, NamesNoOtherFile) {
    EXPECT_EQ(PortTypeName::parse("port_type.0000:03:00.0.1")->path(),
              "/sys/bus/pci/devices/0000:03:00.0/mlx4_port1");
    for (const auto* wrong :
         {"port_type.0000:03:00.0.3", "port_type.../../etc/x.1", "port_type.", "net.core.rmem_max"})
        EXPECT_FALSE(PortTypeName::parse(wrong)) << wrong;
    EXPECT_EQ(port_type_value("auto (eth)\n"), "auto");
    EXPECT_FALSE(parse_desired(R"({"port_types":[{"device":"../x","port":1,"type":"eth"}]})", "test"));
    EXPECT_FALSE(parse_desired(R"({"port_types":[{"device":"0000:03:00.0","port":1,"type":"fc"}]})", "test"));
}

}  // namespace
}  // namespace pve_rdma
