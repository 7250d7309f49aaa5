#include "observe/sysfs_values.h"

#include <array>
#include <cmath>

#include "base/number.h"

namespace pve_rdma {

namespace {

constexpr std::array port_states = {"NOP", "DOWN", "INIT", "ARMED", "ACTIVE", "ACTIVE_DEFER"};
constexpr std::array phys_states = {static_cast<const char*>(nullptr),
                                    "SLEEP",
                                    "POLLING",
                                    "DISABLED",
                                    "PORT_CONFIGURATION_TRAINING",
                                    "LINK_UP",
                                    "LINK_ERROR_RECOVER",
                                    "PHY_TEST"};
constexpr std::array node_types = {"UNSPECIFIED", "CA", "SWITCH", "ROUTER", "RNIC", "USNIC", "USNIC_UDP"};

// Bit 1 first. The spelling is rdma(8)'s, LINK_SPPED_WIDTH and MULT_PKER_TRAP too.
constexpr std::array cap_flags = {"SM",
                                  "NOTICE",
                                  "TRAP",
                                  "OPT_IPD",
                                  "AUTO_MIGR",
                                  "SL_MAP",
                                  "MKEY_NVRAM",
                                  "PKEY_NVRAM",
                                  "LED_INFO",
                                  "SM_DISABLED",
                                  "SYS_IMAGE_GUID",
                                  "PKEY_SW_EXT_PORT_TRAP",
                                  "CABLE_INFO",
                                  "EXTENDED_SPEEDS",
                                  "CAP_MASK2",
                                  "CM",
                                  "SNMP_TUNNEL",
                                  "REINIT",
                                  "DEVICE_MGMT",
                                  "VENDOR_CLASS",
                                  "DR_NOTICE",
                                  "CAP_MASK_NOTICE",
                                  "BOOT_MGMT",
                                  "LINK_LATENCY",
                                  "CLIENT_REG",
                                  "OTHER_LOCAL_CHANGES",
                                  "LINK_SPPED_WIDTH",
                                  "VENDOR_SPECIFIC_MADS",
                                  "MULT_PKER_TRAP",
                                  "MULT_FDB",
                                  "HIERARCHY_INFO"};

struct Speed {
    std::string_view name;
    double gbps;
};
constexpr std::array speeds = {Speed{"SDR", 2.5},  Speed{"DDR", 5},   Speed{"QDR", 10},
                               Speed{"FDR10", 10}, Speed{"FDR", 14},  Speed{"EDR", 25},
                               Speed{"HDR", 50},   Speed{"NDR", 100}, Speed{"XDR", 200}};

template <std::size_t N>
const char* at(const std::array<const char*, N>& names, unsigned number) {
    return number < N ? names[number] : nullptr;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// "PortConfigurationTraining" and "Phy Test" in the manner of the known words.
std::string as_word(std::string_view text) {
    std::string word;
    for (char c : text) {
        const bool upper = c >= 'A' && c <= 'Z';
        if (upper && !word.empty() && word.back() >= 'a' && word.back() <= 'z') word += '_';
        word += c == ' ' ? '_' : c;
    }
    for (char& c : word)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return word;
}

std::optional<std::string> numbered_word(std::string_view text, const char* (*name)(unsigned)) {
    text = trimmed(text);
    if (text.empty()) return std::nullopt;
    const auto colon = text.find(':');
    if (const auto number = parse_number<unsigned>(trimmed(text.substr(0, colon))))
        if (const char* known = name(*number)) return known;
    const auto words = colon == std::string_view::npos ? text : trimmed(text.substr(colon + 1));
    return printable(as_word(words.empty() ? text : words));
}

// Octets of the UTF-8 sequence at the start of `text`; 0 when there is none (RFC 3629).
std::size_t utf8_length(std::string_view text) {
    const auto octet = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = octet(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xf5   ? 0
                               : first >= 0xf0 ? 4
                               : first >= 0xe0 ? 3
                               : first >= 0xc2 ? 2
                                               : 0;
    if (length == 0 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((octet(i) & 0xc0) != 0x80) return 0;
    const unsigned second = octet(1);
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
        (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90))
        return 0;
    return length;
}

}  // namespace

const char* port_state_name(unsigned number) {
    return at(port_states, number);
}
const char* phys_state_name(unsigned number) {
    return at(phys_states, number);
}
const char* node_type_name(unsigned number) {
    return at(node_types, number);
}

std::optional<std::string> port_state_word(std::string_view text) {
    return numbered_word(text, port_state_name);
}
std::optional<std::string> phys_state_word(std::string_view text) {
    return numbered_word(text, phys_state_name);
}
std::optional<std::string> node_type_word(std::string_view text) {
    return numbered_word(text, node_type_name);
}

std::optional<RateText> parse_rate(std::string_view text) {
    text = trimmed(text);
    const auto unit = text.find(" Gb/sec");
    if (unit == std::string_view::npos) return std::nullopt;
    RateText rate;
    const std::string_view number = text.substr(0, unit);
    const auto [end, failure] = std::from_chars(number.data(), number.data() + number.size(), rate.gbps);
    if (failure != std::errc{} || end != number.data() + number.size() || !std::isfinite(rate.gbps) ||
        rate.gbps < 0)
        return std::nullopt;
    const auto open = text.find('(', unit);
    const auto close = text.find(')', unit);
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return rate;
    const std::string_view inside = trimmed(text.substr(open + 1, close - open - 1));
    const auto space = inside.find(' ');
    rate.width = printable(inside.substr(0, space));
    rate.speed = space == std::string_view::npos ? "SDR" : printable(trimmed(inside.substr(space)));
    return rate;
}

std::optional<double> lane_gbps(std::string_view speed) {
    for (const auto& [name, gbps] : speeds)
        if (name == speed) return gbps;
    return std::nullopt;
}

std::vector<std::string> cap_flag_names(std::uint64_t mask) {
    std::vector<std::string> names;
    for (std::size_t bit = 0; bit < cap_flags.size(); ++bit)
        if (mask >> (bit + 1) & 1) names.emplace_back(cap_flags[bit]);
    return names;
}

std::optional<std::uint64_t> parse_counter(std::string_view text) {
    return parse_number<std::uint64_t>(trimmed(text));
}

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const auto first = static_cast<unsigned char>(text[0]);
        if (length == 0 || (first < 0x20 && first != '\t' && first != '\n') || first == 0x7f)
            out += "\xef\xbf\xbd";
        else
            out += text.substr(0, length);
        text.remove_prefix(length ? length : 1);
    }
    return out;
}

}  // namespace pve_rdma
