// ethtool's bit sets and kinds, and the EEPROMs of modules, from octets made by hand.
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>

#include <gtest/gtest.h>

#include "netlink_fake.h"
#include "observe/ethtool.h"
#include "observe/ethtool_driver.h"
#include "observe/ethtool_kinds.h"
#include "observe/ethtool_module.h"

namespace pve_rdma::test {
namespace {

// The string sets of the running kernel: names come from nowhere else.
class EthtoolNames : public ::testing::Test {
  protected:
    void SetUp() override {
        auto transport = open_netlink(NETLINK_GENERIC, "ethtool");
        ASSERT_TRUE(transport);
        const auto family = find_family(**transport, "ethtool");
        if (!family) GTEST_SKIP() << "this kernel has no ethtool netlink: " << family.error().text();
        auto sets = StringSets::read(**transport, *family);
        ASSERT_TRUE(sets) << sets.error().text();
        names = *sets;
    }
    void take(std::uint8_t command, const NetlinkRequest& message) {
        for (const auto& kind : ethtool_kinds())
            if (kind.command == command) return kind.take(as_message(message).body, names, ethernet);
        FAIL() << "no such kind";
    }
    StringSets names;
    Ethernet ethernet;
};

TEST_F(EthtoolNames, LinkModesHaveTheKernelsNames) {
    EXPECT_EQ(names.name(ETH_SS_LINK_MODES, ETHTOOL_LINK_MODE_10000baseT_Full_BIT), "10000baseT/Full");
    EXPECT_EQ(names.name(ETH_SS_LINK_MODES, 4000), "bit 4000");
    NetlinkRequest message(0, 0);
    message.octet(ETHTOOL_A_LINKMODES_AUTONEG, 1)
        .number(ETHTOOL_A_LINKMODES_SPEED, 100000)
        .octet(ETHTOOL_A_LINKMODES_DUPLEX, 1);
    message.nested(ETHTOOL_A_LINKMODES_OURS, [](NetlinkRequest& bits) {
        bits.number(ETHTOOL_A_BITSET_SIZE, 64);
        bits.bytes_of(ETHTOOL_A_BITSET_VALUE, std::array<std::uint32_t, 2>{1U << 6, 1U << 4});
        bits.bytes_of(ETHTOOL_A_BITSET_MASK, std::array<std::uint32_t, 2>{1U << 6 | 1U << 12, 1U << 4});
    });
    take(ETHTOOL_MSG_LINKMODES_GET, message);
    EXPECT_EQ(ethernet.speed, 100000U);
    EXPECT_EQ(ethernet.duplex, "Full");
    EXPECT_EQ(ethernet.autoneg, true);
    EXPECT_EQ(ethernet.supported,
              (std::vector<std::string>{"Autoneg", "10000baseT/Full", "100000baseKR4/Full"}));
    EXPECT_EQ(ethernet.advertised, (std::vector<std::string>{"Autoneg", "100000baseKR4/Full"}));
}

TEST_F(EthtoolNames, AnUnknownSpeedAndDuplexAreAbsent) {
    NetlinkRequest message(0, 0);
    message.number(ETHTOOL_A_LINKMODES_SPEED, 0xffffffff).octet(ETHTOOL_A_LINKMODES_DUPLEX, 0xff);
    take(ETHTOOL_MSG_LINKMODES_GET, message);
    EXPECT_FALSE(ethernet.speed);
    EXPECT_FALSE(ethernet.duplex);
}

TEST_F(EthtoolNames, AFeatureIsFixedOrRequested) {
    NetlinkRequest message(0, 0);
    const auto set = [&](std::uint16_t type, std::uint32_t bits) {
        message.nested(type, [&](NetlinkRequest& one) {
            one.number(ETHTOOL_A_BITSET_SIZE, 32).flag(ETHTOOL_A_BITSET_NOMASK);
            one.bytes_of(ETHTOOL_A_BITSET_VALUE, bits);
        });
    };
    set(ETHTOOL_A_FEATURES_HW, 0b0110);
    set(ETHTOOL_A_FEATURES_WANTED, 0b0110);
    set(ETHTOOL_A_FEATURES_ACTIVE, 0b0011);
    set(ETHTOOL_A_FEATURES_NOCHANGE, 0);
    take(ETHTOOL_MSG_FEATURES_GET, message);
    EXPECT_EQ(ethernet.features.at(names.name(ETH_SS_FEATURES, 0)), "on [fixed]");
    EXPECT_EQ(ethernet.features.at(names.name(ETH_SS_FEATURES, 1)), "on");
    EXPECT_EQ(ethernet.features.at(names.name(ETH_SS_FEATURES, 2)), "off [requested on]");
    EXPECT_EQ(ethernet.features.at(names.name(ETH_SS_FEATURES, 3)), "off [fixed]");
}

TEST_F(EthtoolNames, ALinkThatIsDownSaysWhy) {
    NetlinkRequest message(0, 0);
    message.octet(ETHTOOL_A_LINKSTATE_LINK, 0)
        .octet(ETHTOOL_A_LINKSTATE_EXT_STATE, ETHTOOL_LINK_EXT_STATE_AUTONEG)
        .octet(ETHTOOL_A_LINKSTATE_EXT_SUBSTATE, ETHTOOL_LINK_EXT_SUBSTATE_AN_NO_PARTNER_DETECTED);
    take(ETHTOOL_MSG_LINKSTATE_GET, message);
    EXPECT_EQ(ethernet.link, false);
    EXPECT_EQ(ethernet.ext_state, "Autoneg");
    EXPECT_EQ(ethernet.ext_substate, "No partner detected");
}

TEST_F(EthtoolNames, ForwardErrorCorrectionNamesWhatIsAskedForAndInUse) {
    NetlinkRequest message(0, 0);
    message.octet(ETHTOOL_A_FEC_AUTO, 1).number(ETHTOOL_A_FEC_ACTIVE, ETHTOOL_LINK_MODE_FEC_RS_BIT);
    message.nested(ETHTOOL_A_FEC_MODES, [](NetlinkRequest& bits) {
        bits.number(ETHTOOL_A_BITSET_SIZE, 64).flag(ETHTOOL_A_BITSET_NOMASK);
        bits.bytes_of(ETHTOOL_A_BITSET_VALUE,
                      std::array<std::uint32_t, 2>{0, 1U << (ETHTOOL_LINK_MODE_FEC_BASER_BIT - 32)});
    });
    take(ETHTOOL_MSG_FEC_GET, message);
    ASSERT_TRUE(ethernet.fec);
    EXPECT_EQ(ethernet.fec->auto_, true);
    EXPECT_EQ(ethernet.fec->active, "RS");
    EXPECT_EQ(ethernet.fec->modes, (std::vector<std::string>{"BASER"}));
}

TEST(EthtoolCounters, OnlyTroubleIsKeptAndNothingOfOneQueue) {
    EXPECT_TRUE(is_kept_counter("rx_out_of_buffer"));
    EXPECT_TRUE(is_kept_counter("tx_pause_ctrl_phy"));
    EXPECT_TRUE(is_kept_counter("rx_crc_errors_phy"));
    EXPECT_FALSE(is_kept_counter("rx_packets"));
    EXPECT_FALSE(is_kept_counter("rx0_xdp_drop"));
    EXPECT_FALSE(is_kept_counter("rx_queue_0_drops"));
}

using Bytes = std::vector<std::uint8_t>;

void put(Bytes& page, std::size_t at, std::string_view text) {
    std::copy(text.begin(), text.end(), page.begin() + static_cast<std::ptrdiff_t>(at));
}
void put16(Bytes& page, std::size_t at, int value) {
    page[at] = static_cast<std::uint8_t>(value >> 8);
    page[at + 1] = static_cast<std::uint8_t>(value);
}

// A module as a reader sees it: 256 octets for each two-wire address and page.
struct Module {
    std::map<std::pair<int, int>, Bytes> pages;
    Bytes& page(int address, int number) {
        auto& octets = pages[{address, number}];
        octets.resize(256);
        return octets;
    }
    ModuleReader reader() {
        return [this](const ModuleRange& range) -> Result<Bytes> {
            const auto found = pages.find({range.address, range.page});
            if (found == pages.end()) return std::unexpected(errno_error(EIO, "module", "not there"));
            const auto from = found->second.begin() + range.offset;
            return Bytes(from, from + range.length);
        };
    }
};

const Diagnostic* find(const Transceiver& module, std::string_view what, std::uint32_t lane) {
    for (const auto& diagnostic : module.diagnostics)
        if (diagnostic.what == what && diagnostic.lane == lane) return &diagnostic;
    return nullptr;
}

TEST(Modules, AnOpticalSfp) {
    Module module;
    auto& a0 = module.page(0x50, 0);
    a0[0] = 0x03;
    a0[2] = 0x07;
    a0[3] = 0x10;
    a0[12] = 103;
    a0[16] = 8;   // 80 m
    a0[19] = 30;  // 300 m
    put(a0, 20, "Mellanox        ");
    put(a0, 40, "MFM1T02A-SR     ");
    put(a0, 56, "A1  ");
    put(a0, 68, "SECRET123       ");
    put16(a0, 60, 850);
    a0[92] = 0x68;
    auto& a2 = module.page(0x51, 0);
    put16(a2, 96, 0x1e80);  // 30.5 C
    put16(a2, 0, 0x4b00);   // high alarm 75 C
    put16(a2, 2, 0xfb00);   // low alarm -5 C
    put16(a2, 98, 33000);   // 3.3 V
    put16(a2, 100, 3000);   // 6 mA
    put16(a2, 104, 5000);   // 0.5 mW
    const auto read = decode_module(module.reader(), false);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->identifier, "SFP");
    EXPECT_EQ(read->connector, "LC");
    EXPECT_EQ(read->vendor, "Mellanox");
    EXPECT_EQ(read->part_number, "MFM1T02A-SR");
    EXPECT_EQ(read->revision, "A1");
    EXPECT_FALSE(read->serial_number);
    EXPECT_EQ(read->compliance, (std::vector<std::string>{"10GBASE-SR"}));
    EXPECT_EQ(read->bit_rate, 10300U);
    EXPECT_EQ(read->length, 300);
    EXPECT_EQ(read->wavelength, 850);
    ASSERT_TRUE(find(*read, "temperature", 0));
    EXPECT_EQ(find(*read, "temperature", 0)->value, 30.5);
    EXPECT_EQ(find(*read, "temperature", 0)->threshold->high_alarm, 75);
    EXPECT_EQ(find(*read, "temperature", 0)->threshold->low_alarm, -5);
    EXPECT_EQ(find(*read, "voltage", 0)->value, 3.3);
    EXPECT_EQ(find(*read, "bias", 1)->value, 6);
    EXPECT_EQ(find(*read, "rx_power", 1)->value, 0.5);
    EXPECT_EQ(decode_module(module.reader(), true)->serial_number, "SECRET123");
}

TEST(Modules, ACopperCableHasItsLengthAndMeasuresNothing) {
    Module module;
    auto& a0 = module.page(0x50, 0);
    a0[0] = 0x03;
    a0[2] = 0x21;
    a0[8] = 0x04;
    a0[18] = 3;
    const auto read = decode_module(module.reader(), false);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->connector, "Copper pigtail");
    EXPECT_EQ(read->length, 3);
    EXPECT_EQ(read->compliance, (std::vector<std::string>{"passive copper cable"}));
    EXPECT_TRUE(read->diagnostics.empty());
    EXPECT_FALSE(read->wavelength);
}

TEST(Modules, AQsfpHasFourLanesAndThresholdsOnPageThree) {
    Module module;
    auto& low = module.page(0x50, 0);
    low[0] = 0x11;
    put16(low, 22, 0x2000);     // 32 C
    put16(low, 26, 32000);      // 3.2 V
    put16(low, 34 + 6, 10000);  // lane 4 receives 1 mW
    low[130] = 0x0c;
    low[131] = 0x80;
    low[192] = 0x02;
    low[140] = 0xff;
    low[222] = 103;  // 25.75 Gb/s
    low[144] = 0;
    low[143] = 35;  // 70 m
    put(low, 148, "Mellanox        ");
    put16(module.page(0x50, 3), 128, 0x5000);  // 80 C
    const auto read = decode_module(module.reader(), false);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->identifier, "QSFP28");
    EXPECT_EQ(read->connector, "MPO 1x12");
    EXPECT_EQ(read->vendor, "Mellanox");
    EXPECT_EQ(read->compliance, (std::vector<std::string>{"100GBASE-SR4 or 25GBASE-SR"}));
    EXPECT_EQ(read->bit_rate, 25750U);
    EXPECT_EQ(read->length, 70);
    EXPECT_EQ(find(*read, "temperature", 0)->threshold->high_alarm, 80);
    EXPECT_EQ(find(*read, "rx_power", 4)->value, 1);
    EXPECT_EQ(find(*read, "rx_power", 1)->value, 0);
}

TEST(Modules, ACmisModuleHasTheLanesThatItUses) {
    Module module;
    auto& low = module.page(0x50, 0);
    low[0] = 0x18;
    put16(low, 14, 0x2880);  // 40.5 C
    put16(low, 16, 33100);
    put(low, 129, "NVIDIA          ");
    low[202] = 0x45;  // 5 m
    low[203] = 0x28;
    auto& lanes = module.page(0x50, 0x11);
    put16(lanes, 154 + 14, 20000);  // lane 8 sends 2 mW
    const auto read = decode_module(module.reader(), false);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->identifier, "QSFP-DD");
    EXPECT_EQ(read->vendor, "NVIDIA");
    EXPECT_EQ(read->connector, "MPO 1x16");
    EXPECT_EQ(read->length, 5);
    EXPECT_EQ(find(*read, "temperature", 0)->value, 40.5);
    EXPECT_FALSE(find(*read, "temperature", 0)->threshold);
    EXPECT_EQ(find(*read, "tx_power", 8)->value, 2);
    EXPECT_FALSE(find(*read, "tx_power", 1));
}

TEST(Modules, ShortAndStrangeEepromsAreSurvived) {
    for (const int identifier : {0x00, 0x03, 0x11, 0x18, 0xff})
        for (std::size_t length = 0; length < 128; ++length) {
            const ModuleReader reader = [&](const ModuleRange&) -> Result<Bytes> {
                Bytes octets(length, 0xff);
                if (length) octets[0] = static_cast<std::uint8_t>(identifier);
                return octets;
            };
            EXPECT_EQ(decode_module(reader, true).has_value(), length > 0);
        }
}

TEST(Modules, AnEepromThatCannotBeReadIsAnError) {
    Module module;
    const auto read = decode_module(module.reader(), false);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().errno_value, EIO);
}

}  // namespace
}  // namespace pve_rdma::test
