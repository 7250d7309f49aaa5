#include "eni/document.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "eni/limits.h"

namespace pve_rdma::eni {

namespace {

constexpr std::array<std::pair<std::string_view, LineKind>, 11> keywords{{
    {"auto", LineKind::automatic},
    {"allow-auto", LineKind::automatic},
    {"iface", LineKind::iface},
    {"mapping", LineKind::mapping},
    {"template", LineKind::template_stanza},
    {"vlan", LineKind::vlan},
    {"source", LineKind::source},
    {"source-directory", LineKind::source_directory},
    {"no-auto-down", LineKind::no_auto_down},
    {"no-scripts", LineKind::no_scripts},
    {"rename", LineKind::rename},
}};

Error too_much(const std::string& name, int line, const char* what, std::size_t limit) {
    return {.code = ErrorCode::malformed,
            .message = fmt::format("{}: at most {} are read", what, limit),
            .file = name,
            .line = line,
            .column = line ? 1 : 0};
}

}  // namespace

bool begins_stanza(LineKind kind) {
    return kind == LineKind::iface || kind == LineKind::mapping || kind == LineKind::template_stanza ||
           kind == LineKind::vlan;
}

LineKind kind_of_keyword(std::string_view word) {
    for (const auto& [keyword, kind] : keywords)
        if (word == keyword) return kind;
    return word.starts_with("allow-") ? LineKind::allow : LineKind::option;
}

Result<Document> Document::parse(std::string text, std::string name) {
    Document document;
    document.text_ = std::move(text);
    document.name_ = std::move(name);
    if (document.text_.size() > max_octets)
        return std::unexpected(too_much(document.name_, 0, "octets in the file", max_octets));

    // Growing tables would be copied again and again. Memory that stays unused costs nothing.
    const auto lines = static_cast<std::size_t>(std::ranges::count(document.text_, '\n')) + 1;
    document.lines_.reserve(std::min(lines, max_lines + 1));
    document.words_.reserve(document.text_.size() / 4);
    Lexer lexer(document.text_);
    Line line{.number = 1};
    std::uint32_t number = 1;
    const auto finish = [&](std::uint32_t end) {
        line.end = end;
        const auto index = static_cast<std::uint32_t>(document.lines_.size());
        if (begins_stanza(line.kind))
            document.stanzas_.push_back({index, index});
        else if (line.kind == LineKind::option)
            document.stanzas_.back().last = index;
        document.lines_.push_back(line);
        line = {
            .begin = end, .number = number, .first_word = static_cast<std::uint32_t>(document.words_.size())};
    };
    bool in_stanza = false;
    Token token;
    while (lexer.next(token)) {
        switch (token.kind) {
            case TokenKind::comment:
                line.kind = LineKind::comment;
                break;
            case TokenKind::word:
                document.words_.push_back(token);
                if (line.word_count++) break;
                line.kind = kind_of_keyword(token.in(document.text_));
                if (line.kind != LineKind::option)
                    in_stanza = begins_stanza(line.kind);
                else if (!in_stanza)
                    line.kind = LineKind::stray;
                break;
            case TokenKind::continuation:
                ++number;
                break;
            case TokenKind::line_end:
                ++number;
                finish(token.end);
                break;
            default:
                break;
        }
        if (token.end - line.begin > max_line_octets)
            return std::unexpected(
                too_much(document.name_, static_cast<int>(line.number), "octets in a line", max_line_octets));
        if (document.lines_.size() > max_lines)
            return std::unexpected(
                too_much(document.name_, static_cast<int>(line.number), "lines in the file", max_lines));
    }
    if (line.begin < document.text_.size()) finish(static_cast<std::uint32_t>(document.text_.size()));
    return document;
}

std::vector<Token> Document::tokens(const Line& line) const {
    std::vector<Token> found;
    Lexer lexer(std::string_view(text_).substr(0, line.end), line.begin);
    for (Token token; lexer.next(token);)
        found.push_back(token);
    return found;
}

std::string Document::joined(const Line& line, const Token& first, const Token& last) const {
    const std::string_view between = std::string_view(text_).substr(first.begin, last.end - first.begin);
    if (between.find('\n') == std::string_view::npos) return std::string(between);
    std::string result;
    std::string_view space;
    bool continued = false;
    for (const auto& token : tokens(line)) {
        if (token.begin < first.begin) continue;
        if (token.end > last.end) break;
        if (token.kind == TokenKind::space) {
            space = token.in(text_);
        } else if (token.kind == TokenKind::continuation) {
            continued = true;
        } else if (token.kind == TokenKind::word) {
            result += continued ? " " : space;
            result += token.in(text_);
            space = {};
            continued = false;
        }
    }
    return result;
}

int Document::column(std::uint32_t at) const {
    const auto line_end = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
    const std::size_t begin = line_end == std::string::npos ? 0 : line_end + 1;
    return static_cast<int>(at - begin) + 1;
}

int Document::number(const Line& line, std::uint32_t at) const {
    const auto begin = text_.begin() + line.begin;
    return static_cast<int>(line.number) +
           static_cast<int>(std::count(begin, text_.begin() + std::max(at, line.begin), '\n'));
}

std::string canonical(std::string_view option_name) {
    std::string name(option_name);
    std::ranges::replace(name, '_', '-');
    return name;
}

}  // namespace pve_rdma::eni
