#include <algorithm>

#include "network/settings.h"
#include "support.h"

namespace pve_rdma {
namespace {

using test::plan, test::texts;

bool refuses(const Plan& made, std::string_view words) {
    return std::ranges::any_of(made.refusals, [&](const Error& one) { return one.text().contains(words); });
}

FakeKernel one_card() {
    FakeKernel kernel;
    kernel.add_ethernet("nic0");
    test::bring_to(kernel, R"({"links":[{"name":"nic0","up":true,"addresses":[{"address":"192.0.2.5/24"}]}],
                               "routes":[{"to":"10.9.0.0/24","via":"192.0.2.1","dev":"nic0"}]})");
    return kernel;
}

Plan plan_with(const Network& now, const std::string& document, const NodeReport& report,
               const std::vector<NamedAddress>& disks = {}) {
    const Desired wanted = test::desired(document);
    return make_plan({.now = now, .desired = wanted, .report = report, .disks = disks}).value();
}

TEST(Refusal, OfAddressesThatDhcpLends) {
    FakeKernel kernel = one_card();
    NodeReport report;
    Address& lent = report.addresses.emplace_back();
    lent.ifname = "nic0";
    lent.family = "inet";
    lent.local = *IpAddress::parse("192.0.2.5");
    lent.prefixlen = 24;
    lent.dynamic = true;
    const auto now = *kernel.read();
    constexpr const char* metric =
        R"({"links":[{"name":"nic0","addresses":[{"address":"192.0.2.5/24","metric":10}]}]})";
    constexpr const char* gone =
        R"({"links":[{"name":"nic0","addresses":[{"address":"192.0.2.5/24","state":"absent"}]}]})";
    for (const auto* document : {metric, gone}) {
        EXPECT_TRUE(refuses(plan_with(now, document, report), "lends this address")) << document;
        EXPECT_FALSE(refuses(plan_with(now, document, {}), "lends this address")) << document;
    }
    EXPECT_TRUE(plan_with(now, R"({"links":[{"name":"nic0","mtu":9000}]})", report).refusals.empty());
}

TEST(Refusal, OfRoutesThatCouldNotComeBack) {
    FakeKernel kernel = one_card();
    kernel.network().addresses.clear();
    kernel.network().addresses.push_back({.dev = "nic0",
                                          .local = *IpAddress::parse("203.0.113.5"),
                                          .length = 24});  // the gateway's network has gone
    constexpr const char* gone =
        R"({"routes":[{"to":"10.9.0.0/24","via":"192.0.2.1","dev":"nic0","state":"absent"}]})";
    EXPECT_TRUE(refuses(plan(*kernel.read(), gone), "would not take it back"));
    const auto none = [&](const Plan& made) {
        return made.refusals.empty() ? "" : made.refusals.front().text();
    };
    EXPECT_EQ(none(plan(*one_card().read(), gone)), "");
    kernel.network().routes.front().onlink = true;
    EXPECT_EQ(none(plan(*kernel.read(), gone)), "");
}

TEST(Refusal, OfCuttingOffADisk) {
    FakeKernel kernel = one_card();
    const std::vector<NamedAddress> disks{{"the iSCSI connection1:0", *IpAddress::parse("10.9.0.9")}};
    constexpr const char* gone =
        R"({"routes":[{"to":"10.9.0.0/24","via":"192.0.2.1","dev":"nic0","state":"absent"}]})";
    EXPECT_TRUE(refuses(plan_with(*kernel.read(), gone, {}, disks), "the iSCSI connection1:0"));
    EXPECT_TRUE(
        plan_with(*kernel.read(), R"({"links":[{"name":"nic0","mtu":9000}]})", {}, disks).refusals.empty());
}

// --- VLANs of bridge ports

TEST(Vlans, OfAPortAreASetting) {
    FakeKernel kernel;
    kernel.add_ethernet("nic0");
    constexpr const char* document =
        R"({"links":[{"name":"vmbr1","kind":"bridge","vlan_aware":true,"ports":["nic0"]},
        {"name":"nic0","vlans":"1 pvid untagged,2-4094"}]})";
    test::bring_to(kernel, document);
    EXPECT_EQ(SettingKey("vlans").read(*kernel.read()->find("nic0")), "1 pvid untagged,2-4094");
    EXPECT_TRUE(plan(*kernel.read(), document).steps.empty());
    EXPECT_TRUE(
        refuses(plan(*kernel.read(), R"({"links":[{"name":"nic0","vlans":"5000"}]})"), "no value of it"));
}

// A port that leaves its bridge loses them, and the way back gives them again; into another bridge it takes
// them along.
TEST(Vlans, ComeBackWithTheBridge) {
    FakeKernel kernel;
    kernel.add_ethernet("nic0");
    test::bring_to(kernel, R"({"links":[{"name":"vmbr1","kind":"bridge","vlan_aware":true,"ports":["nic0"]},
        {"name":"nic0","vlans":"7 pvid untagged,100-200"}]})");
    const Network before = *kernel.read();
    for (const auto* document : {R"({"links":[{"name":"vmbr1","ports":[]}]})",
                                 R"({"links":[{"name":"vmbr2","kind":"bridge","ports":["nic0"]}]})",
                                 R"({"links":[{"name":"vmbr1","state":"absent"}]})"}) {
        const Plan made = plan(before, document);
        EXPECT_TRUE(made.refusals.empty()) << document;
        test::carry_out(kernel, made.steps);
        const Link moved = *kernel.read()->find("nic0");
        EXPECT_EQ(SettingKey("vlans").read(moved),
                  moved.master ? std::optional<std::string>("7 pvid untagged,100-200") : std::nullopt);
        test::carry_out(kernel, inverse(made.steps));
        EXPECT_EQ(SettingKey("vlans").read(*kernel.read()->find("nic0")), "7 pvid untagged,100-200")
            << document;
        EXPECT_TRUE(ordered_steps(*kernel.read(), before).empty()) << document;
    }
}

TEST(Vlans, AreKeptAsIfupdown2TakesThem) {
    FakeKernel kernel;
    kernel.add_ethernet("nic0");
    eni::MemoryFiles files(
        std::map<std::string, std::string>{{"/etc/network/interfaces",
                                            "auto vmbr1\niface vmbr1 inet manual\n    bridge-ports nic0\n"
                                            "    bridge-vlan-aware yes\n\niface nic0 inet manual\n"}});
    test::bring_to(kernel,
                   R"({"links":[{"name":"vmbr1","kind":"bridge","vlan_aware":true,"ports":["nic0"]}]})");
    const Plan made =
        plan(*kernel.read(), R"({"links":[{"name":"nic0","vlans":"7 pvid untagged,100-200,300"}]})", &files);
    ASSERT_TRUE(made.refusals.empty()) << made.refusals.front().text();
    EXPECT_TRUE(made.diff.contains("bridge-vids 100-200 300")) << made.diff;
    EXPECT_TRUE(made.diff.contains("bridge-pvid 7")) << made.diff;
    EXPECT_TRUE(refuses(plan(*kernel.read(), R"({"links":[{"name":"nic0","vlans":"7 untagged"}]})", &files),
                        "can keep tagged VLANs"));
}

}  // namespace
}  // namespace pve_rdma
