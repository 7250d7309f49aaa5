// QSFP-DD, OSFP and other modules with CMIS (rev 5.2). Lower memory: status and module monitors; upper page
// 00: identity; page 02: thresholds; page 11: lane monitors. Offsets of upper pages count from 128.
#include "observe/ethtool_module.h"

namespace pve_rdma {

namespace {

constexpr std::size_t upper = 128;
constexpr std::size_t at(std::size_t offset) {
    return offset - upper;
}

// Length of a cable assembly (page 00h, octet 202): a multiplier in bits 7 and 6, a base in bits 5 to 0.
double cable_length(std::uint8_t octet) {
    constexpr double multipliers[]{0.1, 1, 10, 100};
    return (octet & 0x3f) * multipliers[octet >> 6];
}

}  // namespace

void decode_cmis(const std::vector<std::uint8_t>& lower, const std::vector<std::uint8_t>& page0,
                 const std::vector<std::uint8_t>& page2, const std::vector<std::uint8_t>& page11,
                 bool serial_numbers, Transceiver& module) {
    const ModuleOctets low{lower}, identity{page0}, limits{page2}, lanes{page11};
    if (!page0.empty()) {
        module.vendor = identity.text(at(129), 16);
        module.vendor_oui = identity.oui(at(145));
        module.part_number = identity.text(at(148), 16);
        module.revision = identity.text(at(164), 2);
        if (serial_numbers) {
            module.serial_number = identity.text(at(166), 16);
            module.date_code = identity.text(at(182), 8);
        }
        module.connector = module_connector(identity.u8(at(203)));
        if (const double length = cable_length(identity.u8(at(202))); length > 0) module.length = length;
    }

    const bool has_limits = page2.size() >= 72;
    const auto limit = [&](std::size_t offset, auto unit) {
        return has_limits ? std::optional(thresholds(at(offset), unit)) : std::nullopt;
    };
    if (low.u16(14))
        module.diagnostics.push_back(
            {.what = "temperature",
             .lane = 0,
             .value = celsius(low.i16(14)),
             .threshold = limit(128, [&](std::size_t place) { return celsius(limits.i16(place)); })});
    if (low.u16(16))
        module.diagnostics.push_back(
            {.what = "voltage",
             .lane = 0,
             .value = volts(low.u16(16)),
             .threshold = limit(136, [&](std::size_t place) { return volts(limits.u16(place)); })});
    if (page11.size() < upper) return;
    const auto power = [&](std::size_t place) { return milliwatts(limits.u16(place)); };
    for (std::uint32_t lane = 1; lane <= 8; ++lane) {
        const std::size_t step = (lane - 1) * 2;
        const auto tx = lanes.u16(at(154) + step), bias = lanes.u16(at(170) + step),
                   rx = lanes.u16(at(186) + step);
        if (tx == 0 && bias == 0 && rx == 0) continue;  // a lane that the module lacks
        module.diagnostics.push_back(
            {.what = "tx_power", .lane = lane, .value = milliwatts(tx), .threshold = limit(176, power)});
        module.diagnostics.push_back(
            {.what = "bias",
             .lane = lane,
             .value = milliamperes(bias),
             .threshold = limit(184, [&](std::size_t place) { return milliamperes(limits.u16(place)); })});
        module.diagnostics.push_back(
            {.what = "rx_power", .lane = lane, .value = milliwatts(rx), .threshold = limit(192, power)});
    }
}

}  // namespace pve_rdma
