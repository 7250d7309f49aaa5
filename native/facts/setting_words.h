// Words of settings that are both read and set, by the number that the kernel gives them. Sources:
// Documentation/networking/bonding.rst and linux/if_bonding.h; linux/if_link.h
// (IPOIB_MODE_*); linux/if_addr.h (IFAPROT_*); RFC 4191, 2.1 (ICMPv6 router preference).
#pragma once

#include <algorithm>
#include <optional>

#include "base/number.h"
#include "facts/rdma_words.h"

namespace pve_rdma {

inline constexpr Words<7> bond_mode_words{"balance-rr", "active-backup", "balance-xor", "broadcast",
                                          "802.3ad",    "balance-tlb",   "balance-alb"};
inline constexpr Words<3> fail_over_mac_words{"none", "active", "follow"};
inline constexpr Words<6> hash_policy_words{"layer2",   "layer3+4", "layer2+3",
                                            "encap2+3", "encap3+4", "vlan+srcmac"};
inline constexpr Words<2> lacp_rate_words{"slow", "fast"};
inline constexpr Words<2> ipoib_mode_words{"datagram", "connected"};
inline constexpr Words<4> address_protocol_words{"unspec", "kernel_lo", "kernel_ra", "kernel_ll"};
inline constexpr Words<4> router_preference_words{"medium", "high", "", "low"};

// Of a word, or of a number that is written as one.
template <std::size_t count>
std::optional<std::uint32_t> number_of_word(const Words<count>& words, std::string_view word) {
    const auto found = std::ranges::find(words, word);
    if (word.empty() || found == words.end()) return parse_number<std::uint32_t>(word);
    return static_cast<std::uint32_t>(found - words.begin());
}

}  // namespace pve_rdma
