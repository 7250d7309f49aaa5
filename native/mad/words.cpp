#include "mad/words.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "facts/rdma_words.h"

namespace pve_rdma {

namespace {

template <std::size_t count>
std::string word(const Words<count>& words, std::uint32_t code) {
    const auto known = known_word(words, code);
    return known.empty() ? fmt::format("code {}", code) : std::string(known);
}

constexpr Words<4> sm_states{"NOTACTIVE", "DISCOVERING", "STANDBY", "MASTER"};
constexpr Words<6> vls{"none", "VL0", "VL0-1", "VL0-3", "VL0-7", "VL0-14"};

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
    return word(node_type_words, code);
}

std::string sm_state_word(std::uint32_t code) {
    return word(sm_states, code);
}

std::string port_state_word(std::uint32_t code) {
    return word(port_state_words, code);
}

std::string phys_state_word(std::uint32_t code) {
    return word(phys_state_words, code);
}

std::string vl_word(std::uint32_t code) {
    return word(vls, code);
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

}  // namespace pve_rdma
