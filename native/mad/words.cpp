#include "mad/words.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "observe/sysfs_values.h"

namespace pve_rdma {

namespace {

template <std::size_t N>
std::string word(const char* const (&words)[N], std::uint32_t code) {
    return code < N && words[code] ? words[code] : fmt::format("code {}", code);
}

std::string named(const char* name, std::uint32_t code) {
    return name ? name : fmt::format("code {}", code);
}

struct Bit {
    std::uint32_t bit;
    const char* name;
};

constexpr Bit widths[] = {{1, "1X"}, {16, "2X"}, {2, "4X"}, {4, "8X"}, {8, "12X"}};
constexpr Bit speeds[] = {{1, "SDR"}, {2, "DDR"}, {4, "QDR"}};
constexpr Bit extended_speeds[] = {{1, "FDR"}, {2, "EDR"}, {4, "HDR"}, {8, "NDR"}};
constexpr const char* speed_order[] = {"", "SDR", "DDR", "QDR", "FDR10", "FDR", "EDR", "HDR", "NDR"};

}  // namespace

std::string node_type_word(std::uint32_t code) {
    return named(node_type_name(code), code);
}

std::string sm_state_word(std::uint32_t code) {
    static constexpr const char* words[] = {"NOTACTIVE", "DISCOVERING", "STANDBY", "MASTER"};
    return word(words, code);
}

std::string port_state_word(std::uint32_t code) {
    return named(port_state_name(code), code);
}

std::string phys_state_word(std::uint32_t code) {
    return named(phys_state_name(code), code);
}

std::string vl_word(std::uint32_t code) {
    static constexpr const char* words[] = {"none", "VL0", "VL0-1", "VL0-3", "VL0-7", "VL0-14"};
    return word(words, code);
}

double rate_gbps(std::uint32_t code) {
    switch (code) {
        case 2:
            return 2.5;
        case 3:
            return 10;
        case 4:
            return 30;
        case 5:
            return 5;
        case 6:
            return 20;
        case 7:
            return 40;
        case 8:
            return 60;
        case 9:
            return 80;
        case 10:
            return 120;
        case 11:
            return 14;
        case 12:
            return 56;
        case 13:
            return 112;
        case 14:
            return 168;
        case 15:
            return 25;
        case 16:
            return 100;
        case 17:
            return 200;
        case 18:
            return 300;
        case 19:
            return 28;
        case 20:
            return 50;
        case 21:
            return 400;
        case 22:
            return 600;
        case 23:
            return 800;
        case 24:
            return 1200;
        default:
            return 0;
    }
}

std::vector<std::string> width_words(std::uint32_t bits) {
    std::vector<std::string> out;
    for (const auto& [bit, name] : widths)
        if (bits & bit) out.emplace_back(name);
    return out;
}

int width_lanes(const std::string& word) {
    for (const int lanes : {1, 2, 4, 8, 12})
        if (word == fmt::format("{}X", lanes)) return lanes;
    return 0;
}

std::vector<std::string> speed_words(std::uint32_t bits, std::uint32_t extended_bits, bool fdr10) {
    std::vector<std::string> out;
    for (const auto& [bit, name] : speeds)
        if (bits & bit) out.emplace_back(name);
    if (fdr10) out.emplace_back("FDR10");
    for (const auto& [bit, name] : extended_speeds)
        if (extended_bits & bit) out.emplace_back(name);
    return out;
}

int speed_rank(const std::string& word) {
    const auto* found = std::ranges::find(speed_order, word);
    return found == std::end(speed_order) ? 0 : static_cast<int>(found - std::begin(speed_order));
}

std::vector<std::string> capability_words(std::uint32_t mask) {
    static constexpr std::array<const char*, 32> names = {nullptr,
                                                          "SM",
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
                                                          "OTHER_LOCAL_CHANGES_NOTICE",
                                                          "LINK_SPEED_WIDTH_PAIRS_TABLE",
                                                          "VENDOR_SPECIFIC_MADS_TABLE",
                                                          "MCAST_PKEY_TRAP_SUPPRESSION",
                                                          "MCAST_FDB_TOP",
                                                          "HIERARCHY_INFO"};
    std::vector<std::string> out;
    for (unsigned bit = 0; bit < names.size(); ++bit)
        if (mask >> bit & 1) out.emplace_back(names[bit] ? names[bit] : fmt::format("bit {}", bit));
    return out;
}

}  // namespace pve_rdma
