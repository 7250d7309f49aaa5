#include "operations/text_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "observe/sysfs_values.h"

namespace pve_rdma {

namespace {

constexpr std::size_t gap = 2;

std::string_view escape(Tone tone) {
    switch (tone) {
        case Tone::good:
            return "\033[32m";
        case Tone::warning:
            return "\033[33m";
        case Tone::bad:
            return "\033[31;1m";
        case Tone::dim:
            return "\033[2m";
        case Tone::bold:
            return "\033[1m";
        case Tone::plain:
            break;
    }
    return {};
}

}  // namespace

std::string one_line(std::string_view text) {
    std::string out = printable(text);
    std::ranges::replace_if(out, [](char c) { return c == '\n' || c == '\t'; }, ' ');
    return out;
}

std::string toned(const std::string& text, Tone tone, const TextStyle& style) {
    if (!style.color || tone == Tone::plain || text.empty()) return text;
    return fmt::format("{}{}\033[0m", escape(tone), text);
}

std::string wrapped(std::string_view text, int indent, const TextStyle& style) {
    std::string out;
    const auto room = static_cast<std::size_t>(std::max(20, style.width - indent));
    for (const auto& line : lines_of(text, room))
        out += fmt::format("{:{}}{}\n", "", indent, line);
    return out;
}

std::string TextTable::render(const TextStyle& style) const {
    std::size_t count = headings_.size();
    for (const auto& row : rows_)
        count = std::max(count, row.size());
    std::vector<std::size_t> widths(count, 0);
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], columns_of(row[i].text));
    std::vector<bool> shown(count);
    std::size_t last = 0;
    for (std::size_t i = 0; i < count; ++i) {
        shown[i] = widths[i] > 0;
        if (shown[i]) last = i;
        if (shown[i] && i < headings_.size()) widths[i] = std::max(widths[i], columns_of(headings_[i]));
    }
    std::size_t last_begins = static_cast<std::size_t>(indent_);
    for (std::size_t i = 0; i < last; ++i)
        if (shown[i]) last_begins += widths[i] + gap;
    const auto terminal = static_cast<std::size_t>(style.width);
    const std::size_t last_width = last_begins + 20 < terminal ? terminal - last_begins : 20;

    std::string out;
    const auto print = [&](const std::vector<Cell>& row) {
        std::string line(static_cast<std::size_t>(indent_), ' ');
        std::size_t pending = 0;  // spaces owed before the next cell, so that no line ends in spaces
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (!shown[i]) continue;
            const Cell& cell = row[i];
            if (cell.text.empty()) {
                pending += widths[i] + gap;
                continue;
            }
            line.append(pending, ' ');
            if (i == last) {
                const auto lines = lines_of(cell.text, last_width);
                for (std::size_t n = 0; n < lines.size(); ++n) {
                    if (n) line += "\n" + std::string(last_begins, ' ');
                    line += toned(lines[n], cell.tone, style);
                }
            } else {
                line += toned(cell.text, cell.tone, style);
                pending = widths[i] - columns_of(cell.text) + gap;
            }
        }
        out += line + "\n";
    };
    if (!headings_.empty() && !rows_.empty()) {
        std::vector<Cell> heading;
        for (const auto& word : headings_)
            heading.emplace_back(word, Tone::dim);
        print(heading);
    }
    for (const auto& row : rows_)
        print(row);
    return out;
}

}  // namespace pve_rdma
