// What is known of cards beyond what they say themselves: generations and boards.
//
// Few rows stand here, of the cards that this program is made for first; whoever has a table of all of them
// replaces board_facts.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pve_rdma::doctor {

struct NicFamily {
    std::string_view name;           // "ConnectX-3"
    std::string_view last_firmware;  // "2.42.5000"; empty: not known
    bool final = false;              // the maker releases no more for it
    std::string_view
        dropped_from_ofed;  // first MLNX_OFED without it, "5.1"; empty: not dropped, or not known
    std::string_view source;
    std::string_view confidence;  // high, medium, low
};

struct Board {
    std::string_view psid;
    std::string_view name;  // "MCX354A-FCBT"
    std::string_view oem;   // "Mellanox", "Dell"
    bool ethernet_only = false;
    std::string_view source;
    std::string_view confidence;
};

std::optional<NicFamily> family_by_pci_id(std::uint32_t vendor, std::uint32_t device);
std::optional<Board> board_by_psid(std::string_view psid);

}  // namespace pve_rdma::doctor
