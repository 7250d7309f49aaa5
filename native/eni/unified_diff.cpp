#include <algorithm>

#include <fmt/format.h>

#include "eni/change.h"
#include "eni/text_lines.h"

namespace pve_rdma::eni {

namespace {

constexpr std::size_t context = 3;

// Whole lines that go, and the text that comes for them.
struct Block {
    std::size_t begin = 0, end = 0;  // octets of the text before, at begins of lines
    std::string inserted;
};

std::size_t line_begin(std::string_view text, std::size_t at) {
    const auto end = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    return end == std::string_view::npos ? 0 : end + 1;
}

std::size_t line_end(std::string_view text, std::size_t at) {
    const auto end = text.find('\n', at);
    return end == std::string_view::npos ? text.size() : end + 1;
}

// The whole lines that a splice touches; none for one that puts lines between lines.
Block touched_by(std::string_view text, const Splice& splice) {
    const std::size_t begin = line_begin(text, splice.at), end = splice.at + splice.removed.size();
    const bool whole_lines = begin == splice.at && line_begin(text, end) == end &&
                             (splice.inserted.empty() || splice.inserted.ends_with('\n'));
    return {begin, whole_lines ? end : line_end(text, end), {}};
}

std::vector<Block> blocks_of(std::string_view text, const Change& change) {
    std::vector<Block> blocks;
    std::size_t done = 0;  // how much of the text the last block's `inserted` stands for
    const auto close = [&] {
        if (!blocks.empty()) blocks.back().inserted += text.substr(done, blocks.back().end - done);
    };
    for (const auto& splice : change) {
        const Block touched = touched_by(text, splice);
        if (blocks.empty() || touched.begin >= blocks.back().end) {
            close();
            blocks.push_back(touched);
            done = touched.begin;
        }
        Block& block = blocks.back();
        block.inserted += text.substr(done, splice.at - done);
        block.inserted += splice.inserted;
        block.end = std::max(block.end, touched.end);
        done = splice.at + splice.removed.size();
    }
    close();
    return blocks;
}

void print(std::string& out, char mark, std::string_view line) {
    out += mark;
    out += line;
    if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

std::string range(std::size_t first, std::size_t count) {
    if (count == 1) return std::to_string(first + 1);
    return fmt::format("{},{}", count ? first + 1 : first, count);
}

}  // namespace

std::string unified_diff(std::string_view before, const Change& change, std::string_view before_name,
                         std::string_view after_name) {
    const auto old_lines = text_lines(before);
    struct Hunk {
        std::size_t first = 0, count = 0;  // lines before
        std::vector<std::string_view> inserted;
    };
    std::vector<Hunk> hunks;
    const auto blocks = blocks_of(before, change);
    std::size_t line = 0, at = 0;
    for (const auto& block : blocks) {
        while (at < block.begin)
            at += old_lines[line++].size();
        Hunk hunk{line, 0, text_lines(block.inserted)};
        while (at < block.end)
            at += old_lines[line++].size(), ++hunk.count;
        // Lines that come back as they were are context.
        while (hunk.count && !hunk.inserted.empty() && hunk.inserted[0] == old_lines[hunk.first]) {
            hunk.inserted.erase(hunk.inserted.begin());
            ++hunk.first, --hunk.count;
        }
        while (hunk.count && !hunk.inserted.empty() &&
               hunk.inserted.back() == old_lines[hunk.first + hunk.count - 1]) {
            hunk.inserted.pop_back();
            --hunk.count;
        }
        if (hunk.count || !hunk.inserted.empty()) hunks.push_back(std::move(hunk));
    }
    if (hunks.empty()) return {};

    std::string out = fmt::format("--- {}\n+++ {}\n", before_name, after_name);
    std::size_t shift_plus = 0, shift_minus = 0;
    for (std::size_t index = 0; index < hunks.size();) {
        // Hunks whose surroundings touch are printed as one.
        std::size_t last = index;
        while (last + 1 < hunks.size() &&
               hunks[last + 1].first <= hunks[last].first + hunks[last].count + 2 * context)
            ++last;
        const std::size_t first = hunks[index].first - std::min(context, hunks[index].first);
        const std::size_t end = std::min(old_lines.size(), hunks[last].first + hunks[last].count + context);
        std::string body;
        std::size_t now = first, removed = 0, added = 0;
        for (std::size_t one = index; one <= last; ++one) {
            while (now < hunks[one].first)
                print(body, ' ', old_lines[now++]);
            for (std::size_t count = 0; count < hunks[one].count; ++count)
                print(body, '-', old_lines[now++]);
            for (const auto& line_text : hunks[one].inserted)
                print(body, '+', line_text);
            removed += hunks[one].count;
            added += hunks[one].inserted.size();
        }
        while (now < end)
            print(body, ' ', old_lines[now++]);
        const std::size_t count = end - first;
        out += fmt::format("@@ -{} +{} @@\n", range(first, count),
                           range(first + shift_plus - shift_minus, count + added - removed));
        out += body;
        shift_plus += added;
        shift_minus += removed;
        index = last + 1;
    }
    return out;
}

}  // namespace pve_rdma::eni
