#include "eni/edit_words.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "eni/utf8.h"

namespace pve_rdma::eni {

namespace {

std::unexpected<Error> refused(const std::string& subject, std::string message) {
    return std::unexpected(
        Error{.code = ErrorCode::bad_request, .subject = subject, .message = std::move(message)});
}

bool control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

constexpr std::string_view blanks = " \t\v\f\r\n";

}  // namespace

Result<void> check_option_name(const std::string& name) {
    const bool plain = std::ranges::all_of(name, [](unsigned char c) {
        return (std::isalnum(c) && c < 0x80) || c == '-' || c == '_' || c == '.';
    });
    if (name.empty() || !plain || name.size() > 64)
        return refused(name, "an option's name is letters, digits, '-', '_' and '.'");
    if (kind_of_keyword(name) != LineKind::option)
        return refused(name, "this word begins a statement of its own and is no option");
    return {};
}

Result<void> check_option_value(const std::string& value) {
    if (value.empty()) return refused("value", "an option without a value is dropped by ifupdown2");
    if (value.size() > 4096) return refused("value", "longer than 4096 octets");
    if (std::ranges::any_of(value, [](char c) { return control(c) && c != '\t'; }))
        return refused("value", "a line end or a control character cannot stand in a value");
    if (blanks.contains(value.front()) || blanks.contains(value.back()))
        return refused("value", "white space at its begin or end would be lost");
    if (value.find('\\') != std::string::npos)
        return refused("value",
                       "a backslash cannot stand in a value: ifupdown2 takes every one for a line's "
                       "continuation");
    if (!valid_utf8(value)) return refused("value", "not UTF-8: ifupdown2 would drop the whole file");
    return {};
}

Result<void> check_interface_name(const std::string& name) {
    const auto base = name.substr(0, name.find(':'));
    if (base.empty() || base.size() > 15 || base == "." || base == "..")
        return refused(name, "an interface's name has 1 to 15 characters");
    if (name.size() > 32) return refused(name, "too long for an alias");
    if (std::ranges::any_of(name, [](char c) {
            return control(c) || c == ' ' || c == '/' || c == '\\' || c == '[' || c == ']' || c == '#' ||
                   c == '%' || c == '=' || static_cast<unsigned char>(c) >= 0x80;
        }))
        return refused(name, "a character that no interface's name may have here");
    return {};
}

bool open_ended(const Document& document, const Line& line) {
    auto text = document.text_of(line);
    const auto last = text.find_last_not_of(blanks);
    return last != std::string_view::npos && text[last] == '\\';
}

Change without_lines(const Document& document, const std::set<std::uint32_t>& lines) {
    const auto& all = document.lines();
    const std::string& text = document.text();
    Change change;
    for (auto at = lines.begin(); at != lines.end();) {
        std::uint32_t first = *at, last = first;
        while (++at != lines.end() && *at == last + 1)
            last = *at;
        const bool reaches_end = last + 1 == all.size();
        if (first > 0 && all[first - 1].kind == LineKind::blank && !lines.contains(first - 1) &&
            (reaches_end || all[last + 1].kind == LineKind::blank))
            --first;
        std::size_t begin = all[first].begin, end = all[last].end;
        if (begin == 0 && text.starts_with("\xef\xbb\xbf")) begin = 3;
        if (reaches_end && !text.ends_with('\n') && first > 0) {
            if (text[begin - 1] == '\n') --begin;
            if (begin > 0 && text[begin - 1] == '\r') --begin;
        }
        change.push_back({begin, text.substr(begin, end - begin), {}});
    }
    return change;
}

Change behind_line(const Document& document, const Line& line, const std::string& text,
                   const std::string& line_end) {
    const bool ended = document.text_of(line).ends_with('\n');
    return {{line.end, {}, ended ? text + line_end : line_end + text}};
}

Error located(const Document& document, const Line& line, ErrorCode code, std::string message,
              std::string hint) {
    return {.code = code,
            .message = std::move(message),
            .file = document.name(),
            .line = static_cast<int>(line.number),
            .column = 1,
            .hint = std::move(hint)};
}

}  // namespace pve_rdma::eni
