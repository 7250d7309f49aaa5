// The EEPROM of the module in a port, by ETHTOOL_MSG_MODULE_EEPROM_GET (root), and its decoding.
// Sources: SFF-8472 rev 12.4, SFF-8636 rev 2.11, CMIS rev 5.2, SFF-8024 rev 4.10.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "facts/transceiver.h"
#include "observe/netlink_generic.h"

namespace pve_rdma {

// Where octets stand: two-wire address (0x50, 0x51), bank, page, and the offset within the 256 octets that
// are visible. The lower half (offset below 128) is the same on every page. length: at most 128.
struct ModuleRange {
    std::uint8_t address = 0x50, bank = 0, page = 0, offset = 0, length = 128;
};
using ModuleReader = std::function<Result<std::vector<std::uint8_t>>(const ModuleRange&)>;

// Reads what the module's kind has, and decodes it. An error only when its first octets could not be read;
// pages that could not be read leave their fields out.
Result<Transceiver> decode_module(const ModuleReader&, bool serial_numbers);

Result<Transceiver> read_module(NetlinkTransport&, const GenericFamily& ethtool, std::uint32_t ifindex,
                                bool serial_numbers);

// The kinds, each given the octets it needs.
void decode_sfp(const std::vector<std::uint8_t>& a0, const std::vector<std::uint8_t>& a2, bool serial_numbers,
                Transceiver&);
void decode_qsfp(const std::vector<std::uint8_t>& lower, const std::vector<std::uint8_t>& page0,
                 const std::vector<std::uint8_t>& page3, bool serial_numbers, Transceiver&);
void decode_cmis(const std::vector<std::uint8_t>& lower, const std::vector<std::uint8_t>& page0,
                 const std::vector<std::uint8_t>& page2, const std::vector<std::uint8_t>& page11,
                 bool serial_numbers, Transceiver&);

// Shared by the kinds.
std::string module_identifier(std::uint8_t);    // SFF-8024, table 4-1
std::string module_connector(std::uint8_t);     // SFF-8024, table 4-3
std::string extended_compliance(std::uint8_t);  // SFF-8024, table 4-4; empty when unspecified

// Octets at places that may lie beyond the end: then 0.
struct ModuleOctets {
    const std::vector<std::uint8_t>& data;
    std::uint8_t u8(std::size_t at) const { return at < data.size() ? data[at] : std::uint8_t{0}; }
    std::uint16_t u16(std::size_t at) const { return static_cast<std::uint16_t>(u8(at) << 8 | u8(at + 1)); }
    std::int16_t i16(std::size_t at) const { return static_cast<std::int16_t>(u16(at)); }
    // Text without the blanks that fill it; nothing when it is blank.
    std::optional<std::string> text(std::size_t at, std::size_t length) const;
    std::string oui(std::size_t at) const;
};

// Raw readings to units, the same in all three: 1/256 C, 100 uV, 2 uA, 0.1 uW.
inline double celsius(std::int16_t raw) {
    return raw / 256.0;
}
inline double volts(std::uint16_t raw) {
    return raw / 10000.0;
}
inline double milliamperes(std::uint16_t raw) {
    return raw * 0.002;
}
inline double milliwatts(std::uint16_t raw) {
    return raw / 10000.0;
}

// Four thresholds of two octets each, in the order high alarm, low alarm, high warning, low warning.
// `unit(at)` reads the one at `at`.
template <class Unit>
Threshold thresholds(std::size_t at, Unit&& unit) {
    return {.high_alarm = unit(at),
            .low_alarm = unit(at + 2),
            .high_warning = unit(at + 4),
            .low_warning = unit(at + 6)};
}

}  // namespace pve_rdma
