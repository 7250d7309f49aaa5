// Values as sysfs writes them: pure functions of a file's text.
// Sources: drivers/infiniband/core/sysfs.c; Documentation/ABI/stable/sysfs-class-infiniband. Words: those of
// facts/rdma_words.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pve_rdma {

// "4: ACTIVE" -> ACTIVE; the number decides. Without a known number the text after the colon, in capitals
// with underscores; nullopt for an empty text.
std::optional<std::string> port_state_word(std::string_view text);
// "5: LinkUp" -> LINK_UP.
std::optional<std::string> phys_state_word(std::string_view text);
// "1: CA" -> CA; "4: RNIC" -> RNIC.
std::optional<std::string> node_type_word(std::string_view text);

// "56 Gb/sec (4X FDR)". The kernel leaves the speed's name out for SDR in some versions.
struct RateText {
    double gbps = 0;
    std::string width;  // "4X"
    std::string speed;  // "FDR"
    bool operator==(const RateText&) const = default;
};
std::optional<RateText> parse_rate(std::string_view text);

// Gb/s of one lane by the speed's name: SDR 2.5, FDR 14; nullopt for a name that is not known.
std::optional<double> lane_gbps(std::string_view speed);

// A counter file: nullopt for "N/A (no PMA)" and for what is not a number.
std::optional<std::uint64_t> parse_counter(std::string_view text);

// The text with what is not UTF-8, and control characters, replaced by U+FFFD: EEPROM text and node
// descriptions hold any octets, a report must not.
std::string printable(std::string_view text);

}  // namespace pve_rdma
