// PCI text and octets: speeds, configuration space, VPD, names; and none of them trusts its input.
#include "observe/pci_values.h"

#include <gtest/gtest.h>

#include "parts.h"

namespace pve_rdma {
namespace {

using namespace std::string_literals;

TEST(PciLinkSpeed, IsReadInEveryKernelsForm) {
    EXPECT_EQ(parse_link_speed("8.0 GT/s PCIe"), 8);
    EXPECT_EQ(parse_link_speed("2.5 GT/s"), 2.5);
    EXPECT_EQ(parse_link_speed("16 GT/s"), 16);
    for (const char* text :
         {"Unknown", "Unknown speed", "", " GT/s", "x GT/s", "nan GT/s", "-8 GT/s", "0 GT/s"})
        EXPECT_EQ(parse_link_speed(text), std::nullopt) << text;
}

TEST(PciBandwidth, TakesOffTheLineCoding) {
    EXPECT_DOUBLE_EQ(link_bandwidth(2.5, 4), 8);  // 8b/10b
    EXPECT_DOUBLE_EQ(link_bandwidth(5, 8), 32);
    EXPECT_DOUBLE_EQ(link_bandwidth(8, 4), 31.51);  // 128b/130b
    EXPECT_DOUBLE_EQ(link_bandwidth(16, 16), 252.06);
    EXPECT_DOUBLE_EQ(link_bandwidth(64, 16), 1024);
}

PciLink hop(const char* address, double current, double max) {
    PciLink link;
    link.address = address;
    link.bandwidth_gbps = current;
    link.max_bandwidth_gbps = max;
    return link;
}

TEST(PciPath, NamesTheHopThatCanDoNoMore) {
    PciDevice device;
    device.links = {hop("card", 31.51, 63.02), hop("slot", 31.51, 31.51), hop("root", 126.03, 126.03)};
    find_slowest_link(device);
    EXPECT_EQ(device.limited_by, "slot");
    EXPECT_EQ(device.bandwidth_gbps, 31.51);
}

TEST(PciPath, NamesTheCardWhenItsOwnLinkTrainedLow) {
    PciDevice device;
    device.links = {hop("card", 15.75, 63.02), hop("slot", 15.75, 63.02)};
    find_slowest_link(device);
    EXPECT_EQ(device.limited_by, "card");
}

TEST(PciPath, NamesNothingWhenTheCardIsTheSlowest) {
    PciDevice device;
    device.links = {hop("card", 31.51, 31.51), hop("slot", 126, 126)};
    find_slowest_link(device);
    EXPECT_EQ(device.limited_by, std::nullopt);
    PciDevice unknown;
    unknown.links.emplace_back();
    find_slowest_link(unknown);
    EXPECT_EQ(unknown.bandwidth_gbps, std::nullopt);
}

std::string config_with_pcie() {
    std::string config(256, '\0');
    config[6] = 0x10;  // has a capability list
    config[0x34] = 0x40;
    config[0x40] = 0x10;
    config[0x44] = 1;  // 256 octets supported
    config[0x49] = 0x20;
    config[0x50] = 3;
    return config;
}

TEST(PciConfig, GivesSizesAndAspm) {
    const auto control = read_pcie_control(parts_of(config_with_pcie()));
    ASSERT_TRUE(control);
    EXPECT_EQ(control->max_payload_size, 128u);
    EXPECT_EQ(control->max_payload_size_supported, 256u);
    EXPECT_EQ(control->max_read_request_size, 512u);
    EXPECT_EQ(control->aspm, "L0s L1");
}

TEST(PciConfig, ShortLoopingOrEmptyHasNone) {
    const std::string whole = config_with_pcie();
    for (const std::size_t size : {0u, 1u, 63u, 64u, 66u, 81u})
        EXPECT_FALSE(read_pcie_control(parts_of(whole.substr(0, size)))) << size;
    std::string loop = whole;
    loop[0x40] = 1;
    loop[0x41] = 0x40;
    EXPECT_FALSE(read_pcie_control(parts_of(loop)));
    std::string no_list = whole;
    no_list[6] = 0;
    EXPECT_FALSE(read_pcie_control(parts_of(no_list)));
}

TEST(PciVpd, GivesWhatTheMakerWrote) {
    const std::string keywords =
        "PN\x05"
        "MCX-4"
        "EC\x02"
        "A1"
        "SN\x03"
        "123"
        "V0\x01"
        "x"s;
    const PciVpd vpd = parse_vpd("\x82\x04\x00"s + "Card" + "\x90" + static_cast<char>(keywords.size()) +
                                 "\x00"s + keywords + "\x78");
    EXPECT_EQ(vpd.name, "Card");
    EXPECT_EQ(vpd.part_number, "MCX-4");
    EXPECT_EQ(vpd.engineering_change, "A1");
    EXPECT_EQ(vpd.serial_number, "123");
}

TEST(PciVpd, BrokenImagesEndWhereTheyBreak) {
    EXPECT_EQ(parse_vpd(""), PciVpd{});
    EXPECT_EQ(parse_vpd("\x82\xff\xff"s + "x"), PciVpd{}) << "longer than what is there";
    EXPECT_EQ(parse_vpd("\x90\x04\x00"s + "PN\xff" + "x"), PciVpd{}) << "a keyword beyond its resource";
    EXPECT_EQ(parse_vpd(std::string(4096, '\xff')), PciVpd{}) << "erased flash";
    EXPECT_EQ(parse_vpd(std::string(4096, '\0')), PciVpd{}) << "zeroes";
}

}  // namespace
}  // namespace pve_rdma
