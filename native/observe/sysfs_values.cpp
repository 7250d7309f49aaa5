#include "observe/sysfs_values.h"

#include <array>
#include <cmath>

#include "base/number.h"
#include "base/trimmed.h"
#include "eni/utf8.h"
#include "facts/rdma_words.h"

namespace pve_rdma {

namespace {

struct Speed {
    std::string_view name;
    double gbps;
};
constexpr std::array speeds = {Speed{"SDR", 2.5},  Speed{"DDR", 5},   Speed{"QDR", 10},
                               Speed{"FDR10", 10}, Speed{"FDR", 14},  Speed{"EDR", 25},
                               Speed{"HDR", 50},   Speed{"NDR", 100}, Speed{"XDR", 200}};

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

template <std::size_t count>
std::optional<std::string> numbered_word(std::string_view text, const Words<count>& names) {
    text = trimmed(text);
    if (text.empty()) return std::nullopt;
    const auto colon = text.find(':');
    if (const auto number = parse_number<unsigned>(trimmed(text.substr(0, colon))))
        if (const auto known = known_word(names, *number); !known.empty()) return std::string(known);
    const auto words = colon == std::string_view::npos ? text : trimmed(text.substr(colon + 1));
    return printable(as_word(words.empty() ? text : words));
}

}  // namespace

std::optional<std::string> port_state_word(std::string_view text) {
    return numbered_word(text, port_state_words);
}
std::optional<std::string> phys_state_word(std::string_view text) {
    return numbered_word(text, phys_state_words);
}
std::optional<std::string> node_type_word(std::string_view text) {
    return numbered_word(text, node_type_words);
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

std::optional<std::uint64_t> parse_counter(std::string_view text) {
    return parse_number<std::uint64_t>(trimmed(text));
}

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        char32_t point = 0;
        const std::size_t length = eni::decode_utf8(text, point);
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
