// The module in a port (SFP, QSFP, CMIS), from its EEPROM. Serial number and date code are left out unless
// asked for. Sources: SFF-8472 (SFP), SFF-8636 (QSFP), CMIS 5.2 (QSFP-DD, OSFP); identifiers and connectors:
// SFF-8024.
#pragma once

#include "base/describe.h"

namespace pve_rdma {

struct Threshold {
    std::optional<double> high_alarm{};
    std::optional<double> low_alarm{};
    std::optional<double> high_warning{};
    std::optional<double> low_warning{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("high_alarm", self.high_alarm);
        visit("low_alarm", self.low_alarm);
        visit("high_warning", self.high_warning);
        visit("low_warning", self.low_warning);
    }
    bool operator==(const Threshold&) const = default;
};

struct Diagnostic {
    std::string what{};      // temperature (C), voltage (V), bias (mA), tx_power, rx_power (mW)
    std::uint32_t lane = 0;  // 1 ..; 0: the whole module
    std::optional<double> value{};
    std::optional<Threshold> threshold{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("what", self.what);
        visit("lane", self.lane);
        visit("value", self.value);
        visit("threshold", self.threshold);
    }
    bool operator==(const Diagnostic&) const = default;
};

struct Transceiver {
    std::optional<std::string> identifier{};  // SFP, QSFP28, QSFP-DD ...
    std::optional<std::string> connector{};
    std::optional<std::string> vendor{};
    std::optional<std::string> vendor_oui{};
    std::optional<std::string> part_number{};
    std::optional<std::string> revision{};
    std::optional<std::string> serial_number{};
    std::optional<std::string> date_code{};
    std::vector<std::string> compliance{};    // 10GBASE-SR, 100G AOC ...
    std::optional<std::uint32_t> bit_rate{};  // Mb/s, nominal
    std::optional<double> length{};           // m, of the cable, or the longest that the module serves
    std::optional<double> wavelength{};       // nm
    std::vector<Diagnostic> diagnostics{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("identifier", self.identifier);
        visit("connector", self.connector);
        visit("vendor", self.vendor);
        visit("vendor_oui", self.vendor_oui);
        visit("part_number", self.part_number);
        visit("revision", self.revision);
        visit("serial_number", self.serial_number);
        visit("date_code", self.date_code);
        visit("compliance", self.compliance);
        visit("bit_rate", self.bit_rate);
        visit("length", self.length);
        visit("wavelength", self.wavelength);
        visit("diagnostics", self.diagnostics);
    }
    bool operator==(const Transceiver&) const = default;
};

}  // namespace pve_rdma
