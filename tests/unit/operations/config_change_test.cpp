// Which file an edit changes, and that one file is all it changes.
#include "operations/config_change.h"

#include <gtest/gtest.h>

namespace pve_rdma {
namespace {

const std::string main_path = "/etc/network/interfaces";
const std::string own_path = "/etc/network/interfaces.d/pve-rdma";
const std::string main_file =
    "auto lo\niface lo inet loopback\n\nauto ib0\niface ib0 inet static\n\taddress 192.0.2.1/24\n\n"
    "iface ib0 inet6 static\n\taddress 2001:db8::1/64\n\nsource /etc/network/interfaces.d/*\n";
const std::string own_file = "iface ib0 inet manual\n\trdma-metric 5\n\tib-mode connected\n";

eni::View read(std::map<std::string, std::string> files) {
    eni::MemoryFiles memory(std::move(files));
    auto view = eni::read_view(memory, main_path);
    EXPECT_TRUE(view) << view.error().text();
    return std::move(*view);
}

eni::View both() {
    return read({{main_path, main_file}, {own_path, own_file}});
}

AskedEdit set(const std::string& option, const std::string& value) {
    return {.kind = ConfigEdit::set, .interface = "ib0", .option = option, .value = value};
}

TEST(ConfigChange, AnOptionIsChangedWhereItStands) {
    const auto change = config_change(both(), set("ib-mode", "datagram"));
    ASSERT_TRUE(change);
    EXPECT_EQ(change->path, own_path);
    EXPECT_EQ(change->after, "iface ib0 inet manual\n\trdma-metric 5\n\tib-mode datagram\n");
}

TEST(ConfigChange, ANewOptionGoesWhereItIsKept) {
    for (const char* option : {"mtu", "sriov-numvfs", "gateway", "bridge-ports"})
        EXPECT_EQ(config_change(both(), set(option, "1500"))->path, main_path) << option;
    const auto change = config_change(both(), set("rdma-route", "198.51.100.0/24 metric 5"));
    ASSERT_TRUE(change);
    EXPECT_EQ(change->path, own_path);
    EXPECT_EQ(change->after, own_file + "\trdma-route 198.51.100.0/24 metric 5\n");
}

TEST(ConfigChange, OurFileGetsAStanzaWhereItHasNone) {
    const auto view = read({{main_path, main_file}, {own_path, "# mine\n"}});
    const auto change = config_change(view, set("rdma-metric", "7"));
    ASSERT_TRUE(change);
    EXPECT_EQ(change->after, "# mine\n\niface ib0 inet manual\n\trdma-metric 7\n");
}

TEST(ConfigChange, OurFileIsMadeWhereThereIsNone) {
    const auto change = config_change(read({{main_path, main_file}}), set("rdma-metric", "7"));
    ASSERT_TRUE(change);
    EXPECT_EQ(change->path, own_path);
    EXPECT_FALSE(change->before);
    EXPECT_TRUE(change->after.starts_with("# Kept by pve-rdma"));
    EXPECT_TRUE(change->after.ends_with("\niface ib0 inet manual\n\trdma-metric 7\n")) << change->after;
}

TEST(ConfigChange, AFurtherAddressIsOurs) {
    AskedEdit asked = set("address", "192.0.2.9/24");
    asked.family = "inet";
    EXPECT_EQ(config_change(both(), asked)->path, main_path) << "it replaces the first";
    asked.kind = ConfigEdit::add;
    EXPECT_EQ(config_change(both(), asked)->path, own_path);
}

TEST(ConfigChange, OneLineOfSeveralIsRemoved) {
    const auto view =
        read({{main_path, "iface a inet static\n\taddress 192.0.2.1/24\n\taddress 192.0.2.2/24\n"}});
    const auto change = config_change(
        view, {.kind = ConfigEdit::unset, .interface = "a", .option = "address", .value = "192.0.2.1/24"});
    ASSERT_TRUE(change);
    EXPECT_EQ(change->after, "iface a inet static\n\taddress 192.0.2.2/24\n");
}

TEST(ConfigChange, StanzasAreMadeWhereTheyAreKept) {
    const auto made = [](const std::string& name, std::vector<std::pair<std::string, std::string>> options) {
        return config_change(both(), {.kind = ConfigEdit::create,
                                      .interface = name,
                                      .value = "manual",
                                      .options = std::move(options)});
    };
    EXPECT_EQ(made("vmbr1", {{"bridge-ports", "none"}})->path, main_path);
    EXPECT_TRUE(made("vmbr1", {{"bridge-ports", "none"}})
                    ->after.ends_with("\nauto vmbr1\niface vmbr1 inet manual\n\tbridge-ports none\n"));
    EXPECT_EQ(made("storage", {})->path, own_path);
    EXPECT_EQ(made("ib0p8001", {{"ib-parent", "ib0"}, {"ib-pkey", "0x8001"}})->path, own_path);
    EXPECT_EQ(made("ib0", {}).error().code, ErrorCode::conflict);
}

TEST(ConfigChange, RemovesAndRenamesWithinOneFile) {
    const auto in_two = config_change(both(), {.kind = ConfigEdit::remove, .interface = "ib0"});
    ASSERT_FALSE(in_two);
    EXPECT_EQ(in_two.error().code, ErrorCode::conflict);
    const auto stanza =
        config_change(both(), {.kind = ConfigEdit::remove, .interface = "ib0", .family = "inet6"});
    ASSERT_TRUE(stanza);
    EXPECT_FALSE(stanza->after.contains("inet6"));
    const auto view = read({{main_path, main_file}});
    EXPECT_FALSE(
        config_change(view, {.kind = ConfigEdit::remove, .interface = "ib0"})->after.contains("ib0"));
    const auto renamed =
        config_change(view, {.kind = ConfigEdit::rename, .interface = "ib0", .value = "ibs1"});
    ASSERT_TRUE(renamed);
    EXPECT_FALSE(renamed->after.contains("ib0"));
    const auto named =
        read({{main_path, main_file}, {own_path, "iface b inet manual\n\tbond-slaves ib0 ib1\n"}});
    EXPECT_EQ(
        config_change(named, {.kind = ConfigEdit::rename, .interface = "ib0", .value = "x"}).error().code,
        ErrorCode::conflict);
}

TEST(ConfigChange, SourcesGoToTheMainFile) {
    const auto change = config_change(both(), {.kind = ConfigEdit::source, .value = "/etc/network/more"});
    ASSERT_TRUE(change);
    EXPECT_EQ(change->after, main_file + "source /etc/network/more\n");
}

TEST(ConfigChange, WhatIsNotThereIsSaid) {
    AskedEdit asked = set("mtu", "1500");
    asked.interface = "ib9";
    EXPECT_EQ(config_change(both(), asked).error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace pve_rdma
