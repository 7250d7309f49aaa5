// What sysfs writes becomes the words of rdma(8), and nonsense becomes no value.
#include "observe/sysfs_values.h"

#include <gtest/gtest.h>

namespace pve_rdma {
namespace {

TEST(SysfsStates, TheNumberDecides) {
    EXPECT_EQ(port_state_word("4: ACTIVE"), "ACTIVE");
    EXPECT_EQ(port_state_word("2: INIT\n"), "INIT");
    EXPECT_EQ(port_state_word("5: ACTIVE_DEFER"), "ACTIVE_DEFER");
    EXPECT_EQ(phys_state_word("5: LinkUp"), "LINK_UP");
    EXPECT_EQ(phys_state_word("4: PortConfigurationTraining"), "PORT_CONFIGURATION_TRAINING");
    EXPECT_EQ(phys_state_word("6: LinkErrorRecovery"), "LINK_ERROR_RECOVER");
    EXPECT_EQ(node_type_word("1: CA"), "CA");
    EXPECT_EQ(node_type_word("4: RNIC"), "RNIC");
}

TEST(SysfsStates, AnUnknownNumberKeepsItsText) {
    EXPECT_EQ(port_state_word("9: FUTURE STATE"), "FUTURE_STATE");
    EXPECT_EQ(phys_state_word("12: OfflineMode"), "OFFLINE_MODE");
    EXPECT_EQ(phys_state_word("ACTIVE"), "ACTIVE");
    EXPECT_EQ(port_state_word(""), std::nullopt);
    EXPECT_EQ(port_state_word("  \n"), std::nullopt);
}

TEST(SysfsRate, HoldsNumberWidthAndSpeed) {
    EXPECT_EQ(parse_rate("56 Gb/sec (4X FDR)"), (RateText{56, "4X", "FDR"}));
    EXPECT_EQ(parse_rate("2.5 Gb/sec (1X SDR)\n"), (RateText{2.5, "1X", "SDR"}));
    EXPECT_EQ(parse_rate("200 Gb/sec (2X NDR)"), (RateText{200, "2X", "NDR"}));
}

TEST(SysfsRate, WithoutASpeedsNameIsSdr) {
    EXPECT_EQ(parse_rate("10 Gb/sec (4X)"), (RateText{10, "4X", "SDR"}));
}

TEST(SysfsRate, NonsenseIsNoRate) {
    for (const char* text :
         {"", "fast", " Gb/sec (4X)", "nan Gb/sec", "inf Gb/sec", "-5 Gb/sec", "5x Gb/sec"})
        EXPECT_EQ(parse_rate(text), std::nullopt) << text;
    EXPECT_EQ(parse_rate("5 Gb/sec )("), (RateText{5, "", ""}));
}

TEST(SysfsRate, LanesHaveTheSpeedsOfTheSpecification) {
    EXPECT_EQ(lane_gbps("FDR"), 14);
    EXPECT_EQ(lane_gbps("FDR10"), 10);
    EXPECT_EQ(lane_gbps("NDR"), 100);
    EXPECT_EQ(lane_gbps("ZDR"), std::nullopt);
}

TEST(SysfsCounter, IsAllDigits) {
    EXPECT_EQ(parse_counter("18446744073709551615"), 18446744073709551615u);
    EXPECT_EQ(parse_counter("18446744073709551616"), std::nullopt);
    EXPECT_EQ(parse_counter("N/A (no PMA)"), std::nullopt);
    EXPECT_EQ(parse_counter("12 "), 12u);
    EXPECT_EQ(parse_counter("-1"), std::nullopt);
}

TEST(Printable, KeepsUtf8AndReplacesTheRest) {
    EXPECT_EQ(printable("na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80"),
              "na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80");
    const std::string r = "\xef\xbf\xbd";
    EXPECT_EQ(printable("caf\xe9"), "caf" + r);
    EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a" + r + "b");
    EXPECT_EQ(printable("\xed\xa0\x80"), r + r + r) << "a surrogate";
    EXPECT_EQ(printable("\xc0\xaf"), r + r) << "too long a form";
    EXPECT_EQ(printable("\xf4\x90\x80\x80"), r + r + r + r) << "above U+10FFFF";
    EXPECT_EQ(printable("\xe2\x82"), r + r) << "cut short";
}

}  // namespace
}  // namespace pve_rdma
