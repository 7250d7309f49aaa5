#include <algorithm>

#include "support.h"

namespace pve_rdma {
namespace {

using test::plan, test::texts;

// A 40G and a 1G card in one network, as Proxmox's installer and a hand leave them.
FakeKernel two_cards() {
    FakeKernel kernel;
    kernel.add_ethernet("nic1");
    kernel.add_ethernet("nic40");
    test::bring_to(kernel, R"({"links":[{"name":"nic1","up":true,"addresses":[{"address":"192.0.2.5/24"}]},
                                       {"name":"nic40","up":true,"addresses":[{"address":"192.0.2.40/24"}]}],
                               "routes":[{"to":"default","via":"192.0.2.1","dev":"nic1"}]})");
    for (auto& route : kernel.network().routes) {
        route.protocol = "kernel";
        route.onlink = true;
    }
    return kernel;
}

constexpr const char* split = R"({
  "links": [{"name": "nic40", "addresses": [{"address": "192.0.2.40/24", "metric": 1}]},
            {"name": "nic1", "addresses": [{"address": "192.0.2.5/24", "metric": 1000}]}],
  "routes": [{"to": "default", "via": "192.0.2.1", "dev": "nic1", "metric": 1},
             {"to": "default", "via": "192.0.2.1", "dev": "nic40", "metric": 1000},
             {"to": "default", "via": "192.0.2.1", "dev": "nic1", "metric": 0, "state": "absent"}]})";

TEST(Plan, MakesNewRoutesBeforeOldOnesGo) {
    FakeKernel kernel = two_cards();
    const Plan made = plan(*kernel.read(), split);
    EXPECT_TRUE(made.refusals.empty()) << made.refusals.front().text();
    EXPECT_EQ(texts(made.steps), (std::vector<std::string>{
                                     "give the connected route of 192.0.2.5/24 dev nic1 metric 1000 (now 0)",
                                     "give the connected route of 192.0.2.40/24 dev nic40 metric 1 (now 0)",
                                     "add route default via 192.0.2.1 dev nic1 metric 1 onlink",
                                     "add route default via 192.0.2.1 dev nic40 metric 1000",
                                     "delete route default via 192.0.2.1 dev nic1 onlink",
                                 }));
    test::carry_out(kernel, made.steps);
    EXPECT_TRUE(plan(*kernel.read(), split).steps.empty());
}

TEST(Plan, BackwardsIsItsInverse) {
    FakeKernel kernel = two_cards();
    const Network before = *kernel.read();
    const Plan made = plan(before, split);
    test::carry_out(kernel, made.steps);
    test::carry_out(kernel, inverse(made.steps));
    EXPECT_TRUE(ordered_steps(*kernel.read(), before).empty());
}

TEST(Plan, SaysWhatTwoCardsInOneNetworkMean) {
    FakeKernel kernel = two_cards();
    kernel.network().sysctls = {{"net.ipv4.conf.all.rp_filter", "1"}};
    const Plan made = plan(*kernel.read(), split);
    const auto says = [&](std::string_view words) {
        return std::ranges::any_of(made.notes, [&](const std::string& note) { return note.contains(words); });
    };
    EXPECT_TRUE(says("leave through nic40"));
    EXPECT_TRUE(says("rp_filter is 1"));
}

TEST(Plan, KeepsTheSplitInTheFiles) {
    FakeKernel kernel = two_cards();
    eni::MemoryFiles files(std::map<std::string, std::string>{
        {"/etc/network/interfaces",
         "auto lo\niface lo inet loopback\n\nauto nic1\niface nic1 inet static\n"
         "\taddress 192.0.2.5/24\n\tgateway 192.0.2.1\n\nauto nic40\n"
         "iface nic40 inet static\n\taddress 192.0.2.40/24\n\n"
         "source /etc/network/interfaces.d/*\n"}});
    const Plan made = plan(*kernel.read(), split, &files);
    EXPECT_TRUE(made.refusals.empty()) << made.refusals.front().text();
    ASSERT_EQ(made.files.size(), 2u);
    EXPECT_EQ(made.files[0].path, "/etc/network/interfaces.d/pve-rdma");
    const std::string& own = *made.files[0].after;
    EXPECT_NE(own.find("iface nic40 inet manual"), own.npos) << own;
    EXPECT_NE(own.find("rdma-metric 1\n"), own.npos) << own;
    EXPECT_NE(own.find("rdma-metric 1000\n"), own.npos) << own;
    EXPECT_NE(own.find("rdma-route default via 192.0.2.1 metric 1000\n"), own.npos) << own;
    const std::string& main = *made.files[1].after;
    EXPECT_NE(main.find("\tgateway 192.0.2.1\n\tmetric 1\n"), main.npos) << main;

    eni::OverlayFiles kept(files, {{made.files[0].path, own}, {made.files[1].path, main}});
    test::carry_out(kernel, made.steps);
    EXPECT_TRUE(plan(*kernel.read(), split, &kept).empty());
}

}  // namespace
}  // namespace pve_rdma
