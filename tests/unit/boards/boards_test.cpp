// The tables of cards: every row is sound and the lookups find it.
#include "boards/boards.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace pve_rdma {
namespace {

constexpr std::uint16_t mellanox = 0x15b3;

TEST(Boards, TheCardOfTheStoryIsKnown) {
    const auto board = board_by_psid("MT_1100120019");
    ASSERT_TRUE(board);
    EXPECT_EQ(board->name, "MCX353A-FCB");
    EXPECT_EQ(board->family, "ConnectX-3");
    EXPECT_EQ(board->protocols, BoardProtocols::vpi);
    EXPECT_EQ(board->confidence, Confidence::high);
    const auto family = family_by_pci_id(mellanox, *board->device);
    ASSERT_TRUE(family);
    EXPECT_EQ(family->name, "ConnectX-3");
    EXPECT_EQ(family->last_firmware, FirmwareVersion::read("2.42.5000"));
    EXPECT_EQ(family->dropped_by_ofed, "5.1");
    EXPECT_EQ(family->driver, "mlx4_core");
}

TEST(Boards, WhatIsNotInTheTablesIsNotKnown) {
    EXPECT_FALSE(board_by_psid(""));
    EXPECT_FALSE(board_by_psid("MT_110012001"));
    EXPECT_FALSE(board_by_psid("mt_1100120019"));
    EXPECT_FALSE(family_by_pci_id(0x8086, 0x1003));
    EXPECT_FALSE(family_by_pci_id(mellanox, 0));
    EXPECT_FALSE(family_by_name(""));
    EXPECT_EQ(oem_by_psid("XYZ0000000001"), "");
}

TEST(Boards, AnIdOfSeveralFamiliesNamesNone) {
    const auto function = pci_function(mellanox, 0x101e);
    ASSERT_TRUE(function);
    EXPECT_EQ(function->kind, FunctionKind::virtual_function);
    EXPECT_EQ(function->driver, "mlx5_core");
    EXPECT_FALSE(family_by_pci_id(mellanox, 0x101e));
}

TEST(Boards, ACardWithoutFirmwareIsOfItsFamily) {
    const auto function = pci_function(mellanox, 0x01f6);
    ASSERT_TRUE(function);
    EXPECT_EQ(function->kind, FunctionKind::recovery);
    EXPECT_EQ(function->driver, "");
    EXPECT_EQ(family_by_pci_id(mellanox, 0x01f6)->name, "ConnectX-3");
}

TEST(Boards, TheMakerOfAnUnknownBoardIsKnownByItsPrefix) {
    EXPECT_FALSE(board_by_psid("DEL0A30000019"));
    EXPECT_EQ(oem_by_psid("DEL0A30000019"), "Dell");
    for (const auto& board : boards())
        EXPECT_EQ(oem_by_psid(board.psid), board.oem) << board.psid;
}

TEST(Boards, EveryRowIsReachedByItsKey) {
    std::set<std::string_view> psids, names;
    std::set<std::pair<std::uint16_t, std::uint16_t>> ids;
    for (const auto& board : boards()) {
        EXPECT_TRUE(psids.insert(board.psid).second) << board.psid;
        EXPECT_EQ(board_by_psid(board.psid)->name, board.name);
        EXPECT_EQ(board.psid.size(), 13u) << board.psid;
    }
    for (const auto& family : nic_families()) {
        EXPECT_TRUE(names.insert(family.name).second) << family.name;
        EXPECT_EQ(family_by_name(family.name)->source, family.source);
    }
    for (const auto& function : pci_functions())
        EXPECT_TRUE(ids.insert({function.vendor, function.device}).second) << function.name;
    EXPECT_GE(psids.size(), 56u);
    EXPECT_GE(names.size(), 18u);
    EXPECT_GE(ids.size(), 68u);
}

TEST(Boards, RowsAgreeWithEachOther) {
    for (const auto& function : pci_functions()) {
        if (function.family.empty()) continue;
        const auto family = family_by_name(function.family);
        ASSERT_TRUE(family) << function.name;
        if (!function.driver.empty()) {
            EXPECT_EQ(function.driver, family->driver) << function.name;
        }
    }
    for (const auto& board : boards()) {
        const auto family = family_by_name(board.family);
        ASSERT_TRUE(family) << board.psid;
        if (board.device) {
            EXPECT_EQ(family_by_pci_id(mellanox, *board.device)->name, board.family) << board.psid;
        }
        if (board.protocols == BoardProtocols::vpi) {
            EXPECT_TRUE(family->infiniband && family->ethernet) << board.psid;
        }
        if (!family->infiniband) {
            EXPECT_EQ(board.protocols, BoardProtocols::ethernet) << board.psid;
        }
        EXPECT_EQ(board.protocols == BoardProtocols::unknown, board.protocols_source.empty()) << board.psid;
        if (board.firmware_seen && family->last_firmware) {
            EXPECT_EQ(board.firmware_seen->major_number, family->last_firmware->major_number) << board.psid;
        }
    }
}

TEST(Boards, WhatIsFromMemoryIsOfLowConfidence) {
    for (const auto& family : nic_families()) {
        if (!family.last_firmware) {
            EXPECT_EQ(family.firmware_confidence, Confidence::low) << family.name;
        } else {
            EXPECT_FALSE(family.firmware_source.empty()) << family.name;
        }
        if (family.firmware_source.find("memory") != std::string_view::npos) {
            EXPECT_EQ(family.firmware_confidence, Confidence::low) << family.name;
        }
    }
    for (const auto& board : boards())
        if (board.source.find("memory") != std::string_view::npos) {
            EXPECT_EQ(board.confidence, Confidence::low) << board.psid;
        }
    EXPECT_EQ(to_string(Confidence::medium), "medium");
}

TEST(FirmwareVersion, ComparesNumbersNotText) {
    const auto version = [](std::string_view text) { return FirmwareVersion::parse(text).value(); };
    EXPECT_LT(version("2.9.1200"), version("2.42.5000"));
    EXPECT_LT(version("2.11.500"), version("2.11.5000"));
    EXPECT_LT(version("14.26.0226"), version("14.26.1040"));
    EXPECT_EQ(version("14.26.0226"), version("14.26.226"));
    EXPECT_GT(version("20.43.2566"), version("16.35.8008"));
}

TEST(FirmwareVersion, IsWrittenAsItsDriverWritesIt) {
    for (const auto* text :
         {"2.11.500", "2.42.5000", "14.26.0226", "16.35.8008", "0.0.0", "65535.65535.65535"})
        EXPECT_EQ(FirmwareVersion::parse(text)->text(), text);
}

TEST(FirmwareVersion, AnythingElseIsAnError) {
    for (const auto* text :
         {"", ".", "2", "2.42", "2.42.", "2.42.5000.1", " 2.42.5000", "2.42.5000 ", "v2.42.5000", "2..5000",
          "2.-1.5000", "2.42.65536", "99999999999.1.1", "N/A", "2,42,5000"}) {
        const auto version = FirmwareVersion::parse(text);
        ASSERT_FALSE(version) << text;
        EXPECT_EQ(version.error().code, ErrorCode::malformed);
        EXPECT_EQ(version.error().subject, text);
    }
}

}  // namespace
}  // namespace pve_rdma
