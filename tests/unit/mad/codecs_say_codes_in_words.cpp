// What the wire's numbers mean, against literal octets and against the tables of the IBA.
#include <gtest/gtest.h>

#include "mad/codec.h"
#include "mad/requests.h"
#include "mad/words.h"

namespace pve_rdma {
namespace {

using Words = std::vector<std::string>;

std::array<std::uint8_t, 64> octets_of(const PortInfo& info) {
    std::array<std::uint8_t, 64> out{};
    write_wire(info, out);
    return out;
}

// A ConnectX-3 port at FDR on a switch that only does 2048 octets.
PortInfo fdr_port() {
    PortInfo info;
    info.cap_mask = 0x0259486a;
    info.state_code = 4;
    info.phys_state_code = 5;
    info.link_down_default_code = 2;
    info.link_width_supported = info.link_width_enabled = 3;
    info.link_width_active = 2;
    info.link_speed_supported = info.link_speed_enabled = 7;
    info.link_speed_active = 4;
    info.link_speed_ext_supported = info.link_speed_ext_enabled = 1;
    info.link_speed_ext_active = 1;
    info.neighbor_mtu_code = 4;
    info.mtu_cap_code = 5;
    info.vl_cap_code = 4;
    info.oper_vls_code = 3;
    return info;
}

TEST(PortInfoWords, NameStateWidthSpeedAndMtu) {
    const auto info = decode_port_info(octets_of(fdr_port()));
    EXPECT_EQ(info.state, "ACTIVE");
    EXPECT_EQ(info.phys_state, "LINK_UP");
    EXPECT_EQ(info.link_down_default, "POLLING");
    EXPECT_EQ(info.width, "4X");
    EXPECT_EQ(info.speed, "FDR");
    EXPECT_EQ(info.widths_supported, (Words{"1X", "4X"}));
    EXPECT_EQ(info.speeds_supported, (Words{"SDR", "DDR", "QDR", "FDR"}));
    EXPECT_EQ(info.neighbor_mtu, 2048u);
    EXPECT_EQ(info.mtu_cap, 4096u);
    EXPECT_EQ(info.vl_cap, "VL0-7");
    EXPECT_EQ(info.oper_vls, "VL0-3");
    EXPECT_EQ(info.capabilities,
              (Words{"SM", "TRAP", "AUTO_MIGR", "SL_MAP", "SYS_IMAGE_GUID", "EXTENDED_SPEEDS", "CM",
                     "DEVICE_MGMT", "VENDOR_CLASS", "CAP_MASK_NOTICE", "CLIENT_REG"}));
    EXPECT_TRUE(info.is_sm());
}

TEST(PortInfoWords, ExtendedSpeedsNeedTheCapabilityExceptWherePortsHaveNoMask) {
    auto port = fdr_port();
    port.cap_mask = 0x02590868;  // without EXTENDED_SPEEDS: the octets are reserved
    EXPECT_EQ(decode_port_info(octets_of(port)).speed, "QDR");
    EXPECT_EQ(decode_port_info(octets_of(port)).speeds_supported, (Words{"SDR", "DDR", "QDR"}));
    port.cap_mask = 0;  // port 1 and up of a switch
    EXPECT_EQ(decode_port_info(octets_of(port)).speed, "FDR");
}

TEST(PortInfoWords, EveryExtendedSpeed) {
    auto port = fdr_port();
    for (const auto& [code, word] : {std::pair{1u, "FDR"}, {2u, "EDR"}, {4u, "HDR"}, {8u, "NDR"}}) {
        port.link_speed_ext_active = code;
        EXPECT_EQ(decode_port_info(octets_of(port)).speed, word);
    }
}

TEST(PortInfoWords, AllBitsEnabledMeansWhatIsSupported) {
    auto port = fdr_port();
    port.link_width_enabled = 255;
    port.link_speed_enabled = 15;
    port.link_speed_ext_enabled = 31;
    const auto info = decode_port_info(octets_of(port));
    EXPECT_EQ(info.widths_enabled, info.widths_supported);
    EXPECT_EQ(info.speeds_enabled, info.speeds_supported);
}

TEST(PortInfoWords, ACodeWithoutAWordKeepsItsNumber) {
    auto port = fdr_port();
    port.state_code = 9;
    port.link_width_active = 3;
    port.mtu_cap_code = 6;
    const auto info = decode_port_info(octets_of(port));
    EXPECT_EQ(info.state, "code 9");
    EXPECT_EQ(info.width, "code 3");
    EXPECT_EQ(info.mtu_cap, 0u);
    EXPECT_EQ(info.mtu_cap_code, 6u);
}

TEST(PortInfoWords, Fdr10StandsBetweenQdrAndFdr) {
    auto port = fdr_port();
    port.link_speed_ext_active = 0;
    auto info = decode_port_info(octets_of(port));
    ASSERT_EQ(info.speed, "QDR");
    apply_fdr10(info, {.link_speed_supported = 1, .link_speed_enabled = 1, .link_speed_active = 1});
    EXPECT_EQ(info.speed, "FDR10");
    EXPECT_EQ(info.speeds_supported, (Words{"SDR", "DDR", "QDR", "FDR10", "FDR"}));
}

TEST(Words, TwoLanesStandBetweenOneAndFour) {
    EXPECT_EQ(width_words(31), (Words{"1X", "2X", "4X", "8X", "12X"}));
    EXPECT_EQ(width_lanes("12X"), 12);
    EXPECT_EQ(width_lanes("3X"), 0);
    EXPECT_LT(speed_rank("QDR"), speed_rank("FDR10"));
    EXPECT_LT(speed_rank("FDR10"), speed_rank("FDR"));
    EXPECT_EQ(speed_rank("code 3"), 0);
}

TEST(Words, MtuAndRateCodesOfTheIba) {
    const std::pair<std::uint32_t, std::uint32_t> mtus[] = {{0, 0},    {1, 256},  {2, 512}, {3, 1024},
                                                            {4, 2048}, {5, 4096}, {6, 0}};
    for (const auto& [code, octets] : mtus)
        EXPECT_EQ(mtu_octets(code), octets);
    // IBA 15.2.5.16, table of rates; 11 and 12 are 14.0625 and 56.25 Gb/s, named by their round numbers.
    const std::pair<std::uint32_t, double> rates[] = {
        {2, 2.5}, {5, 5},    {3, 10},   {6, 20},   {4, 30},    {7, 40},   {8, 60},   {9, 80},   {10, 120},
        {11, 14}, {12, 56},  {13, 112}, {14, 168}, {15, 25},   {16, 100}, {17, 200}, {18, 300}, {19, 28},
        {20, 50}, {21, 400}, {22, 600}, {23, 800}, {24, 1200}, {0, 0},    {1, 0},    {63, 0}};
    for (const auto& [code, gbps] : rates)
        EXPECT_EQ(rate_gbps(code), gbps) << code;
}

TEST(SmInfoRecord, HasTheLidBeforeSMInfo) {
    std::array<std::uint8_t, 32> record{};
    record[1] = 9;
    record[4 + 7] = 0x42;          // GUID
    record[4 + 19] = 7;            // ActCount
    record[4 + 20] = 14 << 4 | 3;  // priority, state
    const auto sm = decode_sm_info_record(record);
    EXPECT_EQ(sm.lid, 9u);
    EXPECT_EQ(sm.guid.value, 0x42u);
    EXPECT_EQ(sm.activity, 7u);
    EXPECT_EQ(sm.priority, 14u);
    EXPECT_EQ(sm.state, "MASTER");
}

// The fields that libibmad does not name, octet by octet (IBA 15.2.5.16).
TEST(PathRecord, FieldsStandWhereTheIbaPutsThem) {
    std::array<std::uint8_t, 200> o{};
    o[7] = 1;             // ServiceID
    o[44] = 0x80 | 0x01;  // RawTraffic, top of FlowLabel
    o[45] = 0x23, o[46] = 0x45;
    o[47] = 64;                  // HopLimit
    o[48] = 0x11;                // TClass
    o[49] = 0x80 | 1;            // Reversible, NumbPath
    o[50] = 0x80, o[51] = 0x01;  // P_Key
    o[52] = 0xab, o[53] = 0xc3;  // QoS class, SL
    o[54] = 2 << 6 | 4;          // MTU
    o[55] = 1 << 6 | 12;         // rate
    o[56] = 3 << 6 | 18;         // packet lifetime
    o[57] = 5;                   // preference
    const auto path = decode_path_record(o);
    EXPECT_EQ(path.service_id, 1u);
    EXPECT_EQ(path.raw_traffic, 1u);
    EXPECT_EQ(path.flow_label, 0x12345u);
    EXPECT_EQ(path.hop_limit, 64u);
    EXPECT_EQ(path.traffic_class, 0x11u);
    EXPECT_EQ(path.reversible, 1u);
    EXPECT_EQ(path.numb_path, 1u);
    EXPECT_EQ(path.pkey, PKey{0x8001});
    EXPECT_EQ(path.qos_class, 0xabcu);
    EXPECT_EQ(path.sl, 3u);
    EXPECT_EQ(path.mtu_selector, 2u);
    EXPECT_EQ(path.mtu, 2048u);
    EXPECT_EQ(path.rate_selector, 1u);
    EXPECT_EQ(path.rate_gbps, 56);
    EXPECT_EQ(path.packet_life_time_selector, 3u);
    EXPECT_EQ(path.packet_life_time, 18u);
    EXPECT_EQ(path.preference, 5u);
}

TEST(McMemberRecord, FieldsThatLibibmadDoesNotName) {
    std::array<std::uint8_t, 200> o{};
    o[38] = 2 << 6 | 5;
    o[42] = 2 << 6 | 3;
    o[43] = 1 << 6 | 19;
    o[47] = 9;
    o[48] = 2 << 4 | 1;
    const auto group = decode_mc_member_record(o);
    EXPECT_EQ(group.mtu_selector, 2u);
    EXPECT_EQ(group.mtu, 4096u);
    EXPECT_EQ(group.rate_selector, 2u);
    EXPECT_EQ(group.rate_gbps, 10);
    EXPECT_EQ(group.packet_life_time_selector, 1u);
    EXPECT_EQ(group.packet_life_time, 19u);
    EXPECT_EQ(group.hop_limit, 9u);
    EXPECT_EQ(group.scope, 2u);
    EXPECT_EQ(group.join_state, 1u);
}

TEST(PortCounters, Qp1DroppedStandsBeforeVl15Dropped) {
    std::array<std::uint8_t, 192> o{};
    o[20] = 1, o[21] = 2, o[22] = 3, o[23] = 4;
    EXPECT_EQ(decode_port_counters(o).qp1_dropped, 0x0102u);
    EXPECT_EQ(decode_port_counters(o).vl15_dropped, 0x0304u);
}

TEST(NodeDescription, EndsAtItsFirstZeroAndIsAlwaysUtf8) {
    std::array<std::uint8_t, 64> o{};
    std::ranges::copy(std::string_view("pve1\0mlx4", 9), o.begin());
    EXPECT_EQ(decode_node_description(o), "pve1");
    o[4] = 0xff;
    EXPECT_EQ(decode_node_description(o), "pve1\xef\xbf\xbdmlx4");
    o.fill('x');
    EXPECT_EQ(decode_node_description(o), std::string(64, 'x'));
}

TEST(Bits, WhatIsWrittenIsReadAgainAndNothingElseMoves) {
    for (unsigned offset = 0; offset < 64; ++offset)
        for (unsigned width = 1; offset % 8 + width <= 64 && offset + width <= 128; ++width) {
            std::array<std::uint8_t, 16> octets{};
            octets.fill(0xff);
            write_bits(octets, offset, width, 0);
            EXPECT_EQ(read_bits(octets, offset, width), 0u);
            unsigned ones = 0;
            for (const auto octet : octets)
                ones += static_cast<unsigned>(std::popcount(octet));
            EXPECT_EQ(ones, 128 - width);
            const std::uint64_t value = 0x9e3779b97f4a7c15u & (width == 64 ? ~0ull : (1ull << width) - 1);
            write_bits(octets, offset, width, value);
            EXPECT_EQ(read_bits(octets, offset, width), value);
        }
}

TEST(Requests, AreOctetForOctetWhatTheIbaWants) {
    const auto directed =
        encode_mad(get_smp({.route = DirectRoute{}.then(1).then(35)}, attribute::port_info, 7), 0x11223344);
    const std::array<std::uint8_t, 40> head = {
        1, 0x81, 1, 0x01, 0, 0, 0, 2, 0, 0, 0, 0, 0x11, 0x22, 0x33, 0x44, 0, 0x15, 0, 0,
        0, 0,    0, 7,    0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0,    0, 0};
    EXPECT_TRUE(std::ranges::equal(head, std::span(directed).first(40)));
    EXPECT_EQ(directed[128], 0);
    EXPECT_EQ(directed[129], 1);
    EXPECT_EQ(directed[130], 35);

    const auto path = encode_mad(get_path_record({.lid = 1, .sl = 0}, 5, 6), 1);
    EXPECT_EQ(path[1], 0x03);
    EXPECT_EQ(path[2], 2);
    EXPECT_EQ(read_bits(path, 48 * 8, 64), 1u << 4 | 1u << 5 | 1u << 11 | 1u << 12);
    EXPECT_EQ(read_bits(path, (56 + 40) * 8, 16), 6u);
    EXPECT_EQ(read_bits(path, (56 + 42) * 8, 16), 5u);
    EXPECT_EQ(path[56 + 49], 0x81);

    const auto counters = encode_mad(get_performance(3, attribute::port_counters, 36), 1);
    EXPECT_EQ(counters[1], 0x04);
    EXPECT_EQ(counters[64 + 1], 36);
}

TEST(Requests, TheIpoibGroupIsThatOfFullMembers) {
    EXPECT_EQ(ipoib_broadcast_group(PKey{0x0001}).text(), "ff12:401b:8001:0000:0000:0000:ffff:ffff");
    EXPECT_EQ(ipoib_broadcast_group(PKey{0xffff}).text(), "ff12:401b:ffff:0000:0000:0000:ffff:ffff");
}

TEST(Status, EachPartHasItsWord) {
    EXPECT_EQ(status_words(MadClass::administration, 0x0300), "NO_RECORDS");
    EXPECT_EQ(status_words(MadClass::subnet, 0x000c), "METHOD_ATTRIBUTE_NOT_SUPPORTED");
    EXPECT_EQ(status_words(MadClass::performance, 0x0001), "BUSY");
    EXPECT_EQ(status_words(MadClass::subnet, 0), "");
    EXPECT_EQ(status_words(MadClass::subnet, 0x7f00), "a status of its own");
}

}  // namespace
}  // namespace pve_rdma
