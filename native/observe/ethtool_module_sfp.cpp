// SFP and SFP+ modules: SFF-8472 rev 12.4. A0 (0x50): identity, A2 (0x51): diagnostics.
#include <array>

#include "observe/ethtool_module.h"

namespace pve_rdma {

namespace {

// Compliance codes of octets 3 and 6 (table 5-3), by bit from 0.
constexpr std::array<const char*, 8> ten_gigabit{nullptr,      nullptr,      nullptr,       nullptr,
                                                 "10GBASE-SR", "10GBASE-LR", "10GBASE-LRM", "10GBASE-ER"};
constexpr std::array<const char*, 8> gigabit{"1000BASE-SX", "1000BASE-LX", "1000BASE-CX", "1000BASE-T",
                                             "100BASE-LX",  "100BASE-FX",  "BASE-BX10",   "BASE-PX"};

void add_bits(std::uint8_t octet, const std::array<const char*, 8>& words, std::vector<std::string>& list) {
    for (std::size_t bit = 0; bit < words.size(); ++bit)
        if ((octet & (1U << bit)) && words[bit]) list.emplace_back(words[bit]);
}

// The longest length that the module states, in metres (octets 14 to 19).
double longest(const ModuleOctets& a0) {
    const std::array<double, 6> lengths{a0.u8(14) * 1000.0, a0.u8(15) * 100.0, a0.u8(16) * 10.0,
                                        a0.u8(17) * 10.0,   a0.u8(18) * 1.0,   a0.u8(19) * 10.0};
    double most = 0;
    // Octet 18 is the length of a copper cable when the module is one (octet 8, bits 2 and 3).
    if (a0.u8(8) & 0x0c) return lengths[4];
    for (std::size_t i = 0; i < lengths.size(); ++i)
        most = std::max(most, i == 4 ? lengths[i] * 10 : lengths[i]);
    return most;
}

}  // namespace

void decode_sfp(const std::vector<std::uint8_t>& identity, const std::vector<std::uint8_t>& diagnostics,
                bool serial_numbers, Transceiver& module) {
    const ModuleOctets a0{identity}, a2{diagnostics};
    module.connector = module_connector(a0.u8(2));
    module.vendor = a0.text(20, 16);
    module.vendor_oui = a0.oui(37);
    module.part_number = a0.text(40, 16);
    module.revision = a0.text(56, 4);
    if (serial_numbers) {
        module.serial_number = a0.text(68, 16);
        module.date_code = a0.text(84, 8);
    }
    add_bits(a0.u8(3), ten_gigabit, module.compliance);
    add_bits(a0.u8(6), gigabit, module.compliance);
    if (a0.u8(8) & 0x04) module.compliance.emplace_back("passive copper cable");
    if (a0.u8(8) & 0x08) module.compliance.emplace_back("active copper cable");
    if (auto extended = extended_compliance(a0.u8(36)); !extended.empty())
        module.compliance.push_back(std::move(extended));
    // Octet 12 in 100 Mb/s; 255: more than that, and octet 66 has it in 250 Mb/s.
    if (a0.u8(12) == 0xff)
        module.bit_rate = a0.u8(66) * 250U;
    else if (a0.u8(12))
        module.bit_rate = a0.u8(12) * 100U;
    if (const double length = longest(a0); length > 0) module.length = length;
    if (!(a0.u8(8) & 0x0c) && a0.u16(60)) module.wavelength = a0.u16(60);

    // Externally calibrated modules (octet 92, bit 4) need a slope and an offset for each value; their raw
    // readings are no facts.
    if (diagnostics.size() < 110 || (a0.u8(92) & 0x10)) return;
    const auto temperature = [&](std::size_t at) { return celsius(a2.i16(at)); };
    const auto voltage = [&](std::size_t at) { return volts(a2.u16(at)); };
    const auto bias = [&](std::size_t at) { return milliamperes(a2.u16(at)); };
    const auto power = [&](std::size_t at) { return milliwatts(a2.u16(at)); };
    module.diagnostics = {
        {.what = "temperature", .lane = 0, .value = temperature(96), .threshold = thresholds(0, temperature)},
        {.what = "voltage", .lane = 0, .value = voltage(98), .threshold = thresholds(8, voltage)},
        {.what = "bias", .lane = 1, .value = bias(100), .threshold = thresholds(16, bias)},
        {.what = "tx_power", .lane = 1, .value = power(102), .threshold = thresholds(24, power)},
        {.what = "rx_power", .lane = 1, .value = power(104), .threshold = thresholds(32, power)},
    };
}

}  // namespace pve_rdma
