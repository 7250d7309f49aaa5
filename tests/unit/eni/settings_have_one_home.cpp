// One rule says where a setting is kept. The facts behind it, about Proxmox's reader, were run with its real
// code.
#include <gtest/gtest.h>

#include "eni/known_options.h"
#include "eni/placement.h"

namespace pve_rdma::eni {
namespace {

View read(std::map<std::string, std::string> files) {
    MemoryFiles memory(std::move(files));
    auto view = read_view(memory, "/etc/network/interfaces");
    EXPECT_TRUE(view) << view.error().text();
    return std::move(*view);
}

const std::string main_file =
    "source /etc/network/interfaces.d/*\n"
    "auto lo\niface lo inet loopback\n"
    "iface ib0 inet static\n\taddress 192.0.2.1/24\n\tib-mode connected\n"
    "iface bond0 inet manual\n\tbond-slaves ib0 ib1\n"
    "iface bondib inet manual\n\tbond-slaves ib2 ib3\n"
    "auto vmbr0\niface vmbr0 inet static\n\taddress 192.0.2.10/24\n\tbridge-ports eno1\n";
const std::string own = "iface ib0p8001 inet static\n\tib-parent ib0\n\tib-pkey 0x8001\n";

View node() {
    return read({{"/etc/network/interfaces", main_file}, {std::string(own_file), own}});
}

TEST(SettingsHome, WhatProxmoxMustSeeStandsInTheMainFile) {
    for (const auto setting : {Setting::stanza, Setting::address, Setting::gateway, Setting::mtu})
        EXPECT_EQ(home_of(setting), Home::main_file);
}

TEST(SettingsHome, OptionsOfALinkThatProxmoxKeepsStayInItsStanza) {
    for (const auto setting : {Setting::ib_mode, Setting::virtual_functions})
        EXPECT_EQ(home_of(setting, node(), "ib0"), Home::main_file);
    for (const char* option : {"ib-mode", "sriov-numvfs", "rdma-metric", "rdma-route", "rdma-rule"})
        EXPECT_TRUE(known_option(option)) << option;
}

TEST(SettingsHome, WhatItsWriterWouldBreakOrLoseStandsInOurs) {
    for (const auto setting :
         {Setting::pkey_child, Setting::further_address, Setting::metric, Setting::route, Setting::rule}) {
        EXPECT_EQ(home_of(setting), Home::own_file);
        EXPECT_EQ(home_of(setting, node(), "ib0"), Home::own_file);
        EXPECT_EQ(home_of(setting, node(), "vmbr0"), Home::own_file);
    }
}

TEST(SettingsHome, WhatBelongsToAStanzaStandsWhereThatStanzaIs) {
    EXPECT_EQ(home_of(Setting::mtu, node(), "ib0p8001"), Home::own_file);
    EXPECT_EQ(home_of(Setting::address, node(), "ib0p8001"), Home::own_file);
    EXPECT_EQ(home_of(Setting::mtu, node(), "bondib"), Home::main_file);
}

TEST(SettingsHome, ANewStanzaGoesToTheMainFileOnlyUnderANameThatProxmoxCanKeep) {
    EXPECT_EQ(home_of(Setting::stanza, node(), "ib5"), Home::main_file);
    EXPECT_EQ(home_of(Setting::stanza, node(), "enp1s0f0np0"), Home::main_file);
    EXPECT_EQ(home_of(Setting::stanza, node(), "bond1"), Home::main_file);
    EXPECT_EQ(home_of(Setting::stanza, node(), "storage"), Home::own_file);
}

TEST(SettingsHome, ProxmoxTakesNamesAsItsReaderDoes) {
    const auto view = node();
    EXPECT_EQ(proxmox_kind(view, "lo"), ProxmoxKind::loopback);
    EXPECT_EQ(proxmox_kind(view, "ib0"), ProxmoxKind::card);
    EXPECT_EQ(proxmox_kind(view, "ib0p8001"), ProxmoxKind::card);   // case 11 of the study
    EXPECT_EQ(proxmox_kind(view, "ib0.8001"), ProxmoxKind::other);  // "vlan-id 8001 should be <= 4094"
    EXPECT_EQ(proxmox_kind(view, "ib0.80a1"), ProxmoxKind::other);
    EXPECT_EQ(proxmox_kind(view, "eno1.40"), ProxmoxKind::vlan);
    EXPECT_EQ(proxmox_kind(view, "bond0"), ProxmoxKind::bond);
    EXPECT_EQ(proxmox_kind(view, "bondib"), ProxmoxKind::other);
    EXPECT_EQ(proxmox_kind(view, "vmbr0"), ProxmoxKind::bridge);
    EXPECT_EQ(proxmox_kind(view, "vmbr0:1"), ProxmoxKind::alias);
}

TEST(SettingsHome, OurFilesHeaderIsCommentsAndStatesTheRule) {
    const auto header = view_of(std::string(own_file_header()), "own");
    ASSERT_TRUE(header);
    EXPECT_TRUE(header->stanzas.empty() && header->strays.empty() && header->sources.empty());
    EXPECT_NE(own_file_header().find("P_Key children"), std::string_view::npos);
}

}  // namespace
}  // namespace pve_rdma::eni
