// /etc/network/interfaces in the report: what it says, what is wrong with it, and no secret.
#include "observed_tree.h"

namespace pve_rdma {
namespace {

TEST(InterfacesFile, IsReportedWithWhatItSources) {
    fixtures::Tree tree;
    tree.write("etc/network/interfaces",
               "auto lo vmbr0\niface lo inet loopback\nsource /etc/network/interfaces.d/*\n\niface vmbr0 "
               "inet static\n"
               "\taddress 192.0.2.10\n\tbridge_ports none\n");
    tree.write("etc/network/interfaces.d/b", "auto ib0\niface ib0 inet manual\n\tib-mode connected\n");
    tree.write("etc/network/interfaces.d/a", "allow-hotplug eth9\niface eth9 inet6 auto\n");
    tree.write("etc/network/interfaces.new", "");
    const NodeReport report = observe_tree(tree, {"interfaces"});
    ASSERT_EQ(report.interfaces_files.size(), 3u);
    const InterfacesFile& main = report.interfaces_files[0];
    EXPECT_EQ(main.path, "/etc/network/interfaces");
    EXPECT_EQ(main.pending, true);
    EXPECT_EQ(main.automatic, (std::vector<std::string>{"lo", "vmbr0"}));
    ASSERT_EQ(main.stanzas.size(), 2u);
    EXPECT_EQ(main.stanzas[1].name, "vmbr0");
    EXPECT_EQ(main.stanzas[1].family, "inet");
    EXPECT_TRUE(main.stanzas[1].automatic);
    EXPECT_EQ(main.stanzas[1].options[1], (InterfacesOption{"bridge_ports", "none", 7}));
    ASSERT_EQ(main.sources.size(), 1u);
    EXPECT_EQ(main.sources[0].files,
              (std::vector<std::string>{"/etc/network/interfaces.d/a", "/etc/network/interfaces.d/b"}));
    ASSERT_EQ(main.diagnostics.size(), 1u);
    EXPECT_EQ(main.diagnostics[0].id, "address-without-prefix");
    EXPECT_EQ(main.diagnostics[0].line, 6);
    EXPECT_EQ(report.interfaces_files[1].stanzas[0].allow, (std::vector<std::string>{"hotplug"}));
    EXPECT_TRUE(report.interfaces_files[2].stanzas[0].automatic);
    EXPECT_TRUE(report.sources.contains("interfaces"));

    const auto again = parse_report(report_json(report), "report");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(*again, report);
}

TEST(InterfacesFile, LeavesSecretsOutOfTheReport) {
    fixtures::Tree tree;
    tree.write("etc/network/interfaces",
               "iface wlan0 inet dhcp\n\twpa-ssid lan\n\twpa-psk hunter2\n\twireless-key s:hunter2\n"
               "\twpa_passphrase hunter2\n\tpre-up join --password hunter2\n\twpa-key-mgmt WPA-PSK\n");
    const NodeReport report = observe_tree(tree, {"interfaces"});
    const std::string text = report_json(report);
    EXPECT_EQ(text.find("hunter2"), std::string::npos) << text;
    ASSERT_EQ(report.interfaces_files.size(), 1u);
    EXPECT_EQ(report.interfaces_files[0].stanzas[0].options[1].name, "wpa-psk");
    EXPECT_FALSE(report.interfaces_files[0].stanzas[0].options[1].value);
    EXPECT_EQ(report.interfaces_files[0].stanzas[0].options[0].value, "lan");
}

TEST(InterfacesFile, ThatIsAbsentIsSaid) {
    const NodeReport report = observe_tree(fixtures::Tree(), {"interfaces"});
    EXPECT_EQ(report.sources.at("interfaces").unavailable, "ENOENT");
    EXPECT_TRUE(report.interfaces_files.empty());
}

TEST(InterfacesFile, WithOctetsThatAreNoTextStillMakesADocument) {
    fixtures::Tree tree;
    tree.write("etc/network/interfaces", std::string("iface e\xff inet manual\n\tx \xfe\0y\n", 29));
    const NodeReport report = observe_tree(tree, {"interfaces"});
    const auto again = parse_report(report_json(report), "report");
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, report);
    EXPECT_EQ(report.interfaces_files[0].diagnostics[0].id, "not-utf8");
}

}  // namespace
}  // namespace pve_rdma
