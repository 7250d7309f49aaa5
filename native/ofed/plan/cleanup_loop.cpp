#include "ofed/plan/cleanup_loop.h"

#include <algorithm>

namespace pve_rdma::ofed {

namespace {

constexpr std::size_t max_text = 64u << 10, max_patterns = 256;

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

bool removes(std::string_view line) {
    const bool apt = contains(line, "apt") || contains(line, "dpkg");
    return (apt && (contains(line, " remove") || contains(line, " purge") || contains(line, "--purge") ||
                    contains(line, "autoremove") || contains(line, " -P ") || contains(line, " -r "))) ||
           contains(line, "ofed_uninstall.sh");
}

// grep -E 'a|b|c', grep "a\|b", or grep a: its alternatives, without anchors.
void read_grep(std::string_view line, std::vector<std::string>& patterns) {
    const auto at = line.find("grep");
    if (at == std::string_view::npos) return;
    auto rest = line.substr(at + 4);
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == 'e'))
        rest.remove_prefix(1);
    while (rest.starts_with('-') || rest.starts_with(' ')) {
        const auto end = rest.find(' ', 1);
        if (rest.front() == ' ')
            rest.remove_prefix(1);
        else
            rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
    std::string_view words;
    if (!rest.empty() && (rest.front() == '\'' || rest.front() == '"'))
        words = rest.substr(1, rest.find(rest.front(), 1) - 1);
    else
        words = rest.substr(0, rest.find_first_of(" \t|)"));
    while (!words.empty() && patterns.size() < max_patterns) {
        const auto end = words.find('|');
        std::string word(words.substr(0, end));
        std::erase_if(word, [](char c) {
            return c == '^' || c == '$' || c == '\\' || c == '(' || c == ')' || c == ' ';
        });
        if (!word.empty()) patterns.push_back(std::move(word));
        if (end == std::string_view::npos) break;
        words.remove_prefix(end + 1);
    }
}

}  // namespace

bool CleanupLoop::takes(std::string_view package) const {
    return std::ranges::any_of(patterns, [&](const std::string& one) {
        std::string plain = one;
        // A point and ".*" of a pattern: the text up to them decides.
        if (const auto star = plain.find_first_of(".*["); star != std::string::npos) plain.resize(star);
        return !plain.empty() && contains(package, plain);
    });
}

CleanupLoop read_cleanup(std::string_view text) {
    CleanupLoop loop;
    text = text.substr(0, max_text);
    std::vector<std::string> found;
    while (!text.empty()) {
        const auto end = text.find_first_of("\n;");
        const auto line = text.substr(0, end);
        read_grep(line, found);
        if (removes(line)) {
            const auto begin = line.find_first_not_of(" \t");
            loop.removing_commands.emplace_back(line.substr(begin == std::string_view::npos ? 0 : begin));
        }
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    if (!loop.removing_commands.empty()) loop.patterns = std::move(found);
    return loop;
}

}  // namespace pve_rdma::ofed
