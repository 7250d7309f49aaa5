// Edits of one option in one stanza.
#include <fmt/format.h>

#include "eni/edit.h"
#include "eni/edit_words.h"
#include "eni/proof.h"
#include "eni/style.h"

namespace pve_rdma::eni {

namespace {

// The stanza's lines of that option.
std::vector<std::uint32_t> lines_of(const Document& document, std::uint32_t stanza,
                                    const std::string& option) {
    std::vector<std::uint32_t> found;
    const auto& lines = document.stanzas()[stanza];
    const std::string wanted = canonical(option);
    for (std::uint32_t index = lines.header + 1; index <= lines.last; ++index) {
        const Line& line = document.lines()[index];
        if (line.kind == LineKind::option && canonical(document.words(line)[0].in(document.text())) == wanted)
            found.push_back(index);
    }
    return found;
}

Result<void> check_stanza(const Document& document, std::uint32_t stanza) {
    if (stanza < document.stanzas().size()) return {};
    return std::unexpected(Error{.code = ErrorCode::not_found,
                                 .subject = "stanza",
                                 .message = "there is no such stanza",
                                 .file = document.name()});
}

Error several(const Document& document, const std::vector<std::uint32_t>& lines, const std::string& option) {
    std::string numbers;
    for (const auto index : lines)
        numbers += fmt::format("{}{}", numbers.empty() ? "" : ", ", document.lines()[index].number);
    return located(document, document.lines()[lines.front()], ErrorCode::conflict,
                   fmt::format("{} stands more than once here, in lines {}", option, numbers));
}

Result<Change> replace_value(const Document& document, std::uint32_t index, const std::string& value) {
    const Line& line = document.lines()[index];
    const auto words = document.words(line);
    const std::string name(words[0].in(document.text()));
    const std::size_t begin = words.size() > 1 ? words[1].begin : words[0].end;
    const std::size_t end = words.back().end;
    const std::string before = document.text().substr(begin, end - begin);
    const std::string text = words.size() > 1 ? value : " " + value;
    if (before == text) return Change{};
    return proved(document, {{begin, before, text}},
                  {.instead = {{index, {{LineKind::option, name + " " + value}}}}, .at_end = {}});
}

// The line behind which an option can be added: the last one that does not swallow what follows.
Result<std::uint32_t> line_before_new(const Document& document, std::uint32_t stanza) {
    const auto& lines = document.stanzas()[stanza];
    for (std::uint32_t index = lines.last + 1; index-- > lines.header;) {
        const Line& line = document.lines()[index];
        if ((line.kind == LineKind::option || index == lines.header) && !open_ended(document, line))
            return index;
    }
    return std::unexpected(located(document, document.lines()[lines.header], ErrorCode::malformed,
                                   "every line of this stanza ends in a backslash"));
}

}  // namespace

Result<Change> add_option(const Document& document, std::uint32_t stanza, const std::string& option,
                          const std::string& value) {
    if (auto good = check_stanza(document, stanza); !good) return std::unexpected(good.error());
    if (auto good = check_option_name(option); !good) return std::unexpected(good.error());
    if (auto good = check_option_value(value); !good) return std::unexpected(good.error());
    const auto behind = line_before_new(document, stanza);
    if (!behind) return std::unexpected(behind.error());
    const Line& line = document.lines()[*behind];
    const Style style = style_at(document, stanza);
    const std::string name = spelling(document, stanza, option);
    return proved(
        document, behind_line(document, line, style.indent + name + style.between + value, style.line_end),
        {.instead = {{*behind, {statement(document, line), {LineKind::option, name + " " + value}}}},
         .at_end = {}});
}

Result<Change> set_option(const Document& document, std::uint32_t stanza, const std::string& option,
                          const std::string& value) {
    if (auto good = check_stanza(document, stanza); !good) return std::unexpected(good.error());
    if (auto good = check_option_name(option); !good) return std::unexpected(good.error());
    if (auto good = check_option_value(value); !good) return std::unexpected(good.error());
    const auto lines = lines_of(document, stanza, option);
    if (lines.size() > 1) return std::unexpected(several(document, lines, option));
    if (lines.size() == 1) return replace_value(document, lines[0], value);
    return add_option(document, stanza, option, value);
}

Result<Change> remove_option(const Document& document, std::uint32_t stanza, const std::string& option,
                             const std::optional<std::string>& value) {
    if (auto good = check_stanza(document, stanza); !good) return std::unexpected(good.error());
    auto lines = lines_of(document, stanza, option);
    if (value)
        std::erase_if(lines, [&](std::uint32_t index) {
            const Line& line = document.lines()[index];
            const auto words = document.words(line);
            return words.size() < 2 || document.joined(line, words[1], words.back()) != *value;
        });
    if (lines.empty())
        return std::unexpected(
            located(document, document.lines()[document.stanzas()[stanza].header], ErrorCode::not_found,
                    fmt::format("this stanza has no {}{}{}", option, value ? " " : "", value.value_or(""))));
    if (lines.size() > 1 && !value) return std::unexpected(several(document, lines, option));
    return proved(document, without_lines(document, {lines[0]}), {.instead = {{lines[0], {}}}, .at_end = {}});
}

}  // namespace pve_rdma::eni
