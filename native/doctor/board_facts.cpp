#include "doctor/board_facts.h"

#include <algorithm>
#include <array>

namespace pve_rdma::doctor {

namespace {

constexpr std::uint32_t mellanox = 0x15b3;
constexpr std::string_view firmware_list = "NVIDIA, firmware and supported adapters of MFT 4.32";

struct FamilyRow {
    std::uint32_t device;
    NicFamily family;
};

constexpr std::array<FamilyRow, 6> families{{
    {0x1003, {"ConnectX-3", "2.42.5000", true, "5.1", firmware_list, "high"}},
    {0x1007, {"ConnectX-3 Pro", "2.42.5000", true, "5.1", firmware_list, "high"}},
    {0x1011, {"Connect-IB", "10.16.1200", true, "5.1", firmware_list, "high"}},
    {0x1013, {"ConnectX-4", "12.28.2302", true, "", firmware_list, "high"}},
    {0x1015, {"ConnectX-4 Lx", "14.32.1912", false, "", firmware_list, "medium"}},
    {0x1017, {"ConnectX-5", "16.35.8008", false, "", firmware_list, "high"}},
}};

constexpr std::array<Board, 3> boards{{
    {"MT_1090120019", "MCX354A-FCB", "Mellanox", false, "firmware packages by PSID", "high"},
    {"MT_1100120019", "MCX353A-FCB", "Mellanox", false, "product brief", "high"},
    {"MT_1090111023", "MCX314A-BCB", "Mellanox", true, "public report of a port that knows Ethernet only",
     "medium"},
}};

}  // namespace

std::optional<NicFamily> family_by_pci_id(std::uint32_t vendor, std::uint32_t device) {
    if (vendor != mellanox) return std::nullopt;
    const auto row = std::ranges::find(families, device, &FamilyRow::device);
    return row == families.end() ? std::nullopt : std::optional(row->family);
}

std::optional<Board> board_by_psid(std::string_view psid) {
    const auto row = std::ranges::find(boards, psid, &Board::psid);
    return row == boards.end() ? std::nullopt : std::optional(*row);
}

}  // namespace pve_rdma::doctor
