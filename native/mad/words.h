// Codes of management attributes in words and units. Sources: IBA vol. 1, 14.2.5.6 (PortInfo), 15.2.5.16
// (MTU and rate codes), 14.2.5.13 (SMInfo). A code that has no word gives "code N", never an empty text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/mtu.h"

namespace pve_rdma {

std::string node_type_word(std::uint32_t code);   // CA, SWITCH, ROUTER
std::string sm_state_word(std::uint32_t code);    // NOTACTIVE, DISCOVERING, STANDBY, MASTER
std::string port_state_word(std::uint32_t code);  // words of rdma(8)
std::string phys_state_word(std::uint32_t code);
std::string vl_word(std::uint32_t code);  // "VL0-7"

double rate_gbps(std::uint32_t code);  // 0 for a code without a rate

// Bits of LinkWidth*, in order of width: 1X, 2X, 4X, 8X, 12X.
std::vector<std::string> width_words(std::uint32_t bits);
int width_lanes(const std::string& word);  // "4X" -> 4; 0 for any other text

// Bits of LinkSpeed* and LinkSpeedExt*, slowest first: SDR, DDR, QDR, FDR, EDR, HDR, NDR. FDR10 comes from
// the vendor attribute of Mellanox devices.
std::vector<std::string> speed_words(std::uint32_t bits, std::uint32_t extended_bits, bool fdr10 = false);
int speed_rank(const std::string& word);  // SDR 1, DDR 2, ...; 0 for any other text

}  // namespace pve_rdma
