#include "eni/diagnostic.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "eni/limits.h"
#include "eni/utf8.h"

namespace pve_rdma::eni {

namespace {

constexpr std::size_t shown_columns = 100;

// The physical line with that number, without its end.
std::string_view line_of(std::string_view text, int number) {
    for (; number > 1; --number) {
        const auto end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    if (text.ends_with('\r')) text.remove_suffix(1);
    return text;
}

// One character at a time, as it is shown, with how many columns it takes.
struct Shown {
    std::string text;
    std::size_t columns = 0, octets = 0;
};

Shown show(std::string_view text) {
    char32_t point = 0;
    const std::size_t length = decode_utf8(text, point);
    const auto octet = static_cast<unsigned char>(text[0]);
    if (point == '\t' && length) return {" ", 1, 1};
    if (length == 0 || octet < 0x20 || octet == 0x7f || (point >= 0x80 && point < 0xa1) || point == 0xfeff)
        return {fmt::format("\\x{:02x}", octet), 4, 1};
    return {std::string(text.substr(0, length)), 1, length};
}

}  // namespace

std::string_view to_string(Severity severity) {
    switch (severity) {
        case Severity::info:
            return "info";
        case Severity::warning:
            return "warning";
        case Severity::error:
            return "error";
    }
    return "error";
}

std::string render(const Diagnostic& diagnostic, std::string_view text_of_file) {
    std::string text = diagnostic.file;
    if (diagnostic.line) text += fmt::format(":{}:{}", diagnostic.line, diagnostic.column);
    text += fmt::format(": {}: {} [{}]\n", to_string(diagnostic.severity), diagnostic.message, diagnostic.id);
    if (diagnostic.line) {
        std::string_view line = line_of(text_of_file, diagnostic.line);
        const auto column = static_cast<std::size_t>(std::max(diagnostic.column, 1)) - 1;
        std::size_t at = 0;
        std::string shown, caret;
        if (column > shown_columns) {  // the place is what counts
            shown = "... ";
            caret = "    ";
            at = column - shown_columns / 2;
        }
        const auto end = column + static_cast<std::size_t>(std::max(diagnostic.width, 1));
        while (at < line.size() && shown.size() < shown_columns) {
            const Shown one = show(line.substr(at));
            shown += one.text;
            for (std::size_t count = 0; count < one.columns; ++count)
                caret += at < column || at >= end ? ' ' : caret.find('^') == std::string::npos ? '^' : '~';
            at += one.octets;
        }
        if (at < line.size()) shown += " ...";
        if (caret.find('^') == std::string::npos) caret += '^';
        caret.erase(caret.find_last_not_of(' ') + 1);
        shown.erase(shown.find_last_not_of(' ') + 1);
        text += fmt::format("    {}\n    {}\n", shown, caret);
    }
    if (!diagnostic.hint.empty()) text += fmt::format("  hint: {}\n", diagnostic.hint);
    return text;
}

void Findings::add(const char* id, Severity severity, const Place& place, std::size_t width,
                   std::string message, std::string hint) {
    if (full()) return;
    found_.push_back({place.file,
                      place.number,
                      found_.size(),
                      {.id = id,
                       .severity = severity,
                       .file = view_.files[place.file].name(),
                       .line = place.number,
                       .column = place.column,
                       .width = static_cast<int>(std::max<std::size_t>(width, 1)),
                       .message = std::move(message),
                       .hint = std::move(hint)}});
}

void Findings::add_at(const char* id, Severity severity, std::uint32_t file, std::size_t at,
                      std::size_t width, std::string message, std::string hint) {
    if (full()) return;
    const Document& document = view_.files[file];
    const auto& lines = document.lines();
    const auto octet = static_cast<std::uint32_t>(at);
    auto line = std::ranges::upper_bound(lines, octet, {}, &Line::begin);
    if (line != lines.begin()) --line;
    add(id, severity,
        {.file = file,
         .line = static_cast<std::uint32_t>(line - lines.begin()),
         .number = lines.empty() ? 1 : document.number(*line, octet),
         .column = document.column(octet)},
        width, std::move(message), std::move(hint));
}

bool Findings::full() const {
    return found_.size() >= max_diagnostics;
}

std::vector<Diagnostic> Findings::take() {
    std::ranges::sort(found_, {}, [](const Found& one) { return std::tuple(one.file, one.line, one.order); });
    std::vector<Diagnostic> all;
    const bool more = full();
    for (auto& one : found_)
        all.push_back(std::move(one.diagnostic));
    if (more)
        all.push_back(
            {.id = "more",
             .severity = Severity::warning,
             .file = all.back().file,
             .message = fmt::format("more than {} findings: the rest is not shown", max_diagnostics),
             .hint = {}});
    return all;
}

}  // namespace pve_rdma::eni
