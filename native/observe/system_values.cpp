#include "observe/system_values.h"

#include <algorithm>
#include <cstdint>

#include "base/number.h"
#include "observe/sysfs_values.h"

namespace pve_rdma {

namespace {

constexpr std::string_view exact_words[] = {
    "amd_iommu", "biosdevname", "default_hugepagesz", "hugepages",        "hugepagesz",         "intel_iommu",
    "iommu",     "lockdown",    "module.sig_enforce", "module_blacklist", "modprobe.blacklist", "net.ifnames",
    "pci",       "pcie_aspm",   "pcie_ports"};
constexpr std::string_view word_beginnings[] = {"bonding.", "ib_", "iommu.", "mlx", "rdma", "vfio"};

// The next word, where blanks inside double quotes belong to it.
std::string_view next_word(std::string_view& text) {
    const auto first = text.find_first_not_of(" \t\n");
    if (first == std::string_view::npos) return text = {};
    text.remove_prefix(first);
    bool quoted = false;
    std::size_t end = 0;
    for (; end < text.size(); ++end) {
        if (text[end] == '"') quoted = !quoted;
        if (!quoted && (text[end] == ' ' || text[end] == '\t' || text[end] == '\n')) break;
    }
    const auto word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
}

template <class Use>
void each_line(std::string_view text, Use&& use) {
    while (!text.empty()) {
        const auto newline = text.find('\n');
        use(text.substr(0, newline));
        if (newline == std::string_view::npos) return;
        text.remove_prefix(newline + 1);
    }
}

}  // namespace

std::vector<std::string> command_line_words(std::string_view text) {
    std::vector<std::string> words;
    while (true) {
        const auto word = next_word(text);
        if (word.empty()) return words;
        const auto key = word.substr(0, word.find('='));
        if (std::ranges::find(exact_words, key) != std::end(exact_words) ||
            std::ranges::any_of(word_beginnings, [&](auto beginning) { return key.starts_with(beginning); }))
            words.push_back(printable(word));
    }
}

std::optional<std::uint32_t> count_in_list(std::string_view text) {
    std::uint64_t count = 0;
    while (!text.empty()) {
        const auto comma = text.find(',');
        const auto range = text.substr(0, comma);
        const auto dash = range.find('-');
        const auto first = parse_number<std::uint32_t>(range.substr(0, dash));
        const auto last =
            dash == std::string_view::npos ? first : parse_number<std::uint32_t>(range.substr(dash + 1));
        if (!first || !last || *last < *first) return std::nullopt;
        count += std::uint64_t{*last} - *first + 1;
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
    }
    if (count > UINT32_MAX) return std::nullopt;
    return static_cast<std::uint32_t>(count);
}

std::optional<std::string> os_release_value(std::string_view text, std::string_view key) {
    std::optional<std::string> value;
    each_line(text, [&](std::string_view line) {
        if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != '=') return;
        auto rest = line.substr(key.size() + 1);
        if (rest.size() >= 2 && (rest.front() == '"' || rest.front() == '\'') && rest.back() == rest.front())
            rest = rest.substr(1, rest.size() - 2);
        value = printable(rest);
    });
    return value;
}

std::optional<std::string> version_release(std::string_view text) {
    constexpr std::string_view start = "Linux version ";
    if (!text.starts_with(start)) return std::nullopt;
    text.remove_prefix(start.size());
    const auto word = next_word(text);
    if (word.empty()) return std::nullopt;
    return printable(word);
}

std::optional<std::pair<std::string, std::string>> memlock_limits(std::string_view text) {
    constexpr std::string_view start = "Max locked memory ";
    std::optional<std::pair<std::string, std::string>> limits;
    each_line(text, [&](std::string_view line) {
        if (!line.starts_with(start)) return;
        line.remove_prefix(start.size());
        const auto soft = next_word(line);
        const auto hard = next_word(line);
        if (!hard.empty()) limits.emplace(printable(soft), printable(hard));
    });
    return limits;
}

std::optional<std::string> chosen_word(std::string_view text) {
    const auto open = text.find('[');
    const auto close = text.find(']', open == std::string_view::npos ? 0 : open);
    if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
    return printable(text.substr(open + 1, close - open - 1));
}

}  // namespace pve_rdma
