// Words of the codes of RDMA devices and ports, spelled as rdma(8) spells them ("LINK_SPPED_WIDTH" and
// "MULT_PKER_TRAP" too), by number. Sources: rdma/ib_verbs.h (enum rdma_node_type, ib_port_state,
// ib_port_phys_state); IBA vol. 1, 14.2.5.6 (PortInfo).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pve_rdma {

template <std::size_t count>
using Words = std::array<std::string_view, count>;

// "" for a code without a word.
template <std::size_t count>
constexpr std::string_view known_word(const Words<count>& words, std::uint64_t code) {
    return code < count ? words[code] : std::string_view{};
}

inline constexpr Words<8> node_type_words{"",     "CA",    "SWITCH",    "ROUTER",
                                          "RNIC", "USNIC", "USNIC_UDP", "UNSPECIFIED"};
inline constexpr Words<6> port_state_words{"NOP", "DOWN", "INIT", "ARMED", "ACTIVE", "ACTIVE_DEFER"};
inline constexpr Words<8> phys_state_words{
    "NOP",     "SLEEP", "POLLING", "DISABLED", "PORT_CONFIGURATION_TRAINING", "LINK_UP", "LINK_ERROR_RECOVER",
    "PHY_TEST"};

// Names of a port's capability bits, lowest first: 0 to 31 of CapabilityMask, 32 and on of CapabilityMask2.
// "UNKNOWN" for a bit without a name.
std::vector<std::string> port_capability_words(std::uint64_t bits);

}  // namespace pve_rdma
