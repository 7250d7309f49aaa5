// QSFP+ and QSFP28 modules: SFF-8636 rev 2.11. Lower page 00: diagnostics; upper page 00 (offsets 128 to
// 255): identity; upper page 03: thresholds. Offsets of upper pages count from 128 as in the standard.
#include <array>

#include "observe/ethtool_module.h"

namespace pve_rdma {

namespace {

constexpr std::size_t upper = 128;

// Octet 131 (table 6-17), by bit from 0.
constexpr std::array<const char*, 8> ethernet_codes{"40G Active Cable (XLPPI)",
                                                    "40GBASE-LR4",
                                                    "40GBASE-SR4",
                                                    "40GBASE-CR4",
                                                    "10GBASE-SR",
                                                    "10GBASE-LR",
                                                    "10GBASE-LRM",
                                                    nullptr};

// Octet 147, bits 7 to 4, from 10: no optics, a copper cable (table 6-20).
bool is_copper(std::uint8_t device_technology) {
    return (device_technology >> 4) >= 10;
}

}  // namespace

void decode_qsfp(const std::vector<std::uint8_t>& lower, const std::vector<std::uint8_t>& page0,
                 const std::vector<std::uint8_t>& page3, bool serial_numbers, Transceiver& module) {
    const ModuleOctets low{lower}, identity{page0}, limits{page3};
    const auto at = [](std::size_t offset) { return offset - upper; };
    if (!page0.empty()) {
        module.connector = module_connector(identity.u8(at(130)));
        module.vendor = identity.text(at(148), 16);
        module.vendor_oui = identity.oui(at(165));
        module.part_number = identity.text(at(168), 16);
        module.revision = identity.text(at(184), 2);
        if (serial_numbers) {
            module.serial_number = identity.text(at(196), 16);
            module.date_code = identity.text(at(212), 8);
        }
        const auto codes = identity.u8(at(131));
        for (std::size_t bit = 0; bit < ethernet_codes.size(); ++bit)
            if ((codes & (1U << bit)) && ethernet_codes[bit])
                module.compliance.emplace_back(ethernet_codes[bit]);
        if (codes & 0x80)
            if (auto extended = extended_compliance(identity.u8(at(192))); !extended.empty())
                module.compliance.push_back(std::move(extended));
        // Octet 140 in 100 Mb/s; 255: octet 222 in 250 Mb/s.
        if (identity.u8(at(140)) == 0xff)
            module.bit_rate = identity.u8(at(222)) * 250U;
        else if (identity.u8(at(140)))
            module.bit_rate = identity.u8(at(140)) * 100U;
        const bool copper = is_copper(identity.u8(at(147)));
        const std::array<double, 5> lengths{identity.u8(at(142)) * 1000.0, identity.u8(at(143)) * 2.0,
                                            identity.u8(at(144)) * 1.0, identity.u8(at(145)) * 1.0,
                                            identity.u8(at(146)) * (copper ? 1.0 : 2.0)};
        double longest = copper ? lengths[4] : 0;
        if (!copper)
            for (const double length : lengths)
                longest = std::max(longest, length);
        if (longest > 0) module.length = longest;
        if (!copper && identity.u16(at(186))) module.wavelength = identity.u16(at(186)) / 20.0;
    }

    // Zero everywhere: a cable that measures nothing.
    if (low.u16(22) == 0 && low.u16(26) == 0) return;
    const bool has_limits = page3.size() >= 80;
    const auto limit = [&](std::size_t offset, auto unit) {
        return has_limits ? std::optional(thresholds(at(offset), unit)) : std::nullopt;
    };
    module.diagnostics.push_back(
        {.what = "temperature",
         .lane = 0,
         .value = celsius(low.i16(22)),
         .threshold = limit(128, [&](std::size_t place) { return celsius(limits.i16(place)); })});
    module.diagnostics.push_back(
        {.what = "voltage",
         .lane = 0,
         .value = volts(low.u16(26)),
         .threshold = limit(144, [&](std::size_t place) { return volts(limits.u16(place)); })});
    const auto power = [&](std::size_t place) { return milliwatts(limits.u16(place)); };
    for (std::uint32_t lane = 1; lane <= 4; ++lane) {
        const std::size_t step = (lane - 1) * 2;
        module.diagnostics.push_back({.what = "rx_power",
                                      .lane = lane,
                                      .value = milliwatts(low.u16(34 + step)),
                                      .threshold = limit(176, power)});
        module.diagnostics.push_back(
            {.what = "bias",
             .lane = lane,
             .value = milliamperes(low.u16(42 + step)),
             .threshold = limit(184, [&](std::size_t place) { return milliamperes(limits.u16(place)); })});
        module.diagnostics.push_back({.what = "tx_power",
                                      .lane = lane,
                                      .value = milliwatts(low.u16(50 + step)),
                                      .threshold = limit(192, power)});
    }
}

}  // namespace pve_rdma
