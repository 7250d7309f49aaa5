#include "eni/style.h"

#include <algorithm>
#include <optional>

namespace pve_rdma::eni {

namespace {

std::string line_end_of(const Document& document, const Line& line) {
    const auto text = document.text_of(line);
    if (text.ends_with("\r\n")) return "\r\n";
    return "\n";
}

// The white space before a line's first word, and between its first two words when no line ends there.
struct Spaces {
    std::string indent;
    std::optional<std::string> between;
};

Spaces spaces_of(const Document& document, const Line& line) {
    const auto words = document.words(line);
    const std::string_view text = document.text();
    Spaces spaces;
    const auto begin =
        text.substr(line.begin).starts_with("\xef\xbb\xbf") && line.begin == 0 ? 3u : line.begin;
    spaces.indent = text.substr(begin, words[0].begin - begin);
    if (words.size() > 1) {
        const auto between = text.substr(words[0].end, words[1].begin - words[0].end);
        if (between.find('\n') == std::string_view::npos) spaces.between = between;
    }
    // An option that stands behind a bare continuation is no model.
    if (spaces.indent.find_first_not_of(" \t") != std::string::npos) spaces.indent = "\t";
    if (spaces.between && spaces.between->find_first_not_of(" \t") != std::string::npos) spaces.between = " ";
    return spaces;
}

bool take_spaces(const Document& document, std::uint32_t stanza, Style& style) {
    const auto& lines = document.stanzas()[stanza];
    if (lines.last == lines.header) return false;
    const Spaces spaces = spaces_of(document, document.lines()[lines.last]);
    style.indent = spaces.indent;
    style.between = spaces.between.value_or(" ");
    return true;
}

// The words before the first - or _: the family of bridge_fd is "bridge".
std::string_view relatives(std::string_view name) {
    return name.substr(0, name.find_first_of("-_"));
}

// '-' or '_' as the stanza's options of that family use it; 0 when it has none, or both.
char joint_of(const Document& document, const StanzaLines& stanza, std::string_view family) {
    char joint = 0;
    for (std::uint32_t index = stanza.header + 1; index <= stanza.last; ++index) {
        const Line& line = document.lines()[index];
        if (line.kind != LineKind::option) continue;
        const auto name = document.words(line)[0].in(document.text());
        const auto at = name.find_first_of("-_");
        if (at == std::string_view::npos || name.substr(0, at) != family) continue;
        if (joint && joint != name[at]) return 0;
        joint = name[at];
    }
    return joint;
}

}  // namespace

Style style_at(const Document& document, std::uint32_t stanza) {
    Style style;
    style.line_end = line_end_of(document, document.lines()[document.stanzas()[stanza].header]);
    if (document.lines()[document.stanzas()[stanza].header].end == document.text().size() &&
        !document.text().ends_with('\n') && !document.lines().empty())
        style.line_end = line_end_of(document, document.lines().front());
    for (std::uint32_t before = stanza + 1; before-- > 0;)
        if (take_spaces(document, before, style)) return style;
    for (std::uint32_t behind = stanza + 1; behind < document.stanzas().size(); ++behind)
        if (take_spaces(document, behind, style)) return style;
    return style;
}

Style style_at_end(const Document& document) {
    Style style;
    if (!document.stanzas().empty())
        style = style_at(document, static_cast<std::uint32_t>(document.stanzas().size() - 1));
    else if (!document.lines().empty())
        style.line_end = line_end_of(document, document.lines().front());
    return style;
}

std::string spelling(const Document& document, std::uint32_t stanza, const std::string& option) {
    const auto family = relatives(option);
    if (family.size() == option.size()) return option;
    char joint = joint_of(document, document.stanzas()[stanza], family);
    for (std::size_t other = 0; !joint && other < document.stanzas().size(); ++other)
        joint = joint_of(document, document.stanzas()[other], family);
    if (!joint) return option;
    std::string name = option;
    for (char& c : name)
        if (c == '-' || c == '_') c = joint;
    return name;
}

}  // namespace pve_rdma::eni
