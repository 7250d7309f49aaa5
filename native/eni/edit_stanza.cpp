// Edits of whole stanzas, of the names that lines mention, and of source lines.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "eni/edit.h"
#include "eni/edit_words.h"
#include "eni/proof.h"
#include "eni/style.h"

namespace pve_rdma::eni {

namespace {

// Options whose value is names of other interfaces.
constexpr std::array<std::string_view, 16> naming_options{
    "bridge-ports", "bond-slaves", "slaves",      "bond-primary",     "bond-master", "vlan-raw-device",
    "ib-parent",    "ovs-ports",   "ovs-bonds",   "ovs-bridge",       "vrf",         "vxlan-physdev",
    "dummy-port",   "vxlan-iface", "macvlan-dev", "bond-active-slave"};

bool names_interfaces(LineKind kind) {
    return kind == LineKind::automatic || kind == LineKind::allow || kind == LineKind::no_auto_down ||
           kind == LineKind::no_scripts;
}

std::string name_of(const Document& document, const StanzaLines& stanza) {
    const auto words = document.words(document.lines()[stanza.header]);
    return words.size() > 1 ? std::string(words[1].in(document.text())) : "";
}

bool is_interface(const Document& document, const StanzaLines& stanza, const std::string& name) {
    const LineKind kind = document.lines()[stanza.header].kind;
    return (kind == LineKind::iface || kind == LineKind::vlan) && name_of(document, stanza) == name;
}

Error no_interface(const Document& document, const std::string& name) {
    return {.code = ErrorCode::not_found,
            .subject = name,
            .message = "there is no iface stanza of that name",
            .file = document.name()};
}

// What stands at the end of the file: `lines`, apart from what is there by one blank line.
Result<Change> at_end(const Document& document, const std::vector<std::string>& lines,
                      std::vector<Statement> said) {
    const auto& all = document.lines();
    const std::string line_end = style_at_end(document).line_end;
    std::string text;
    for (const auto& line : lines)
        text += (text.empty() ? "" : line_end) + line;
    for (auto last = all.rbegin(); last != all.rend(); ++last) {
        if (last->kind == LineKind::blank) continue;
        if (open_ended(document, *last))
            return std::unexpected(
                located(document, *last, ErrorCode::malformed,
                        "the file ends in a backslash, which would swallow what is added"));
        break;
    }
    Change change{{0, {}, text + line_end}};
    if (!all.empty()) {
        if (all.back().kind != LineKind::blank) text = line_end + text;
        change = behind_line(document, all.back(), text, line_end);
    }
    return proved(document, std::move(change), {.instead = {}, .at_end = std::move(said)});
}

void drop_lines(const StanzaLines& stanza, std::set<std::uint32_t>& lines) {
    for (std::uint32_t index = stanza.header; index <= stanza.last; ++index)
        lines.insert(index);
}

Statement said_without(const Document& document, const Line& line, const std::string& name) {
    Statement said{line.kind, {}};
    for (const auto& word : document.words(line))
        if (said.second.empty()) {
            said.second = word.in(document.text());  // the keyword, also when the name is the same word
        } else if (word.in(document.text()) != name) {
            said.second += ' ';
            said.second += word.in(document.text());
        }
    return said;
}

// Puts `to` for every word `from` of a line behind its first.
void replace_words(const Document& document, std::uint32_t index, const std::string& from,
                   const std::string& to, bool first_only, Change& change, Expectation& expectation) {
    const Line& line = document.lines()[index];
    auto words = document.words(line);
    if (first_only && words.size() > 2) words = words.first(2);
    Change own;
    for (std::size_t at = 1; at < words.size(); ++at)
        if (words[at].in(document.text()) == from) own.push_back({words[at].begin, from, to});
    if (own.empty()) return;
    // The statement as it reads when only this line is changed.
    const std::size_t begin = document.words(line)[0].begin;
    std::string text = document.text().substr(begin, line.end - begin);
    for (auto splice = own.rbegin(); splice != own.rend(); ++splice)
        text.replace(splice->at - begin, from.size(), to);
    if (const auto alone = Document::parse("iface x\n" + text, ""); alone && alone->lines().size() > 1)
        expectation.instead[index] = {statement(*alone, alone->lines()[1])};
    change.insert(change.end(), own.begin(), own.end());
}

}  // namespace

Result<Change> add_stanza(const Document& document, const NewStanza& stanza) {
    if (auto good = check_interface_name(stanza.name); !good) return std::unexpected(good.error());
    for (const auto* word : {&stanza.family, &stanza.method})
        if (!std::ranges::all_of(*word,
                                 [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }))
            return std::unexpected(Error{.code = ErrorCode::bad_request,
                                         .subject = *word,
                                         .message = "no word of a family or a method"});
    if (stanza.family.empty() != stanza.method.empty())
        return std::unexpected(Error{.code = ErrorCode::bad_request,
                                     .subject = stanza.name,
                                     .message = "a family and a method stand together or not at all"});
    std::string header = "iface " + stanza.name;
    if (!stanza.family.empty()) header += " " + stanza.family + " " + stanza.method;
    const Style style = style_at_end(document);
    std::vector<std::string> lines;
    std::vector<Statement> said;
    if (stanza.automatic) {
        lines.push_back("auto " + stanza.name);
        said.emplace_back(LineKind::automatic, lines.back());
    }
    lines.push_back(header);
    said.emplace_back(LineKind::iface, header);
    for (const auto& [option, value] : stanza.options) {
        if (auto good = check_option_name(option); !good) return std::unexpected(good.error());
        if (auto good = check_option_value(value); !good) return std::unexpected(good.error());
        lines.push_back(style.indent + option + style.between + value);
        said.emplace_back(LineKind::option, option + " " + value);
    }
    return at_end(document, lines, std::move(said));
}

Result<Change> set_method(const Document& document, std::uint32_t stanza, const std::string& method) {
    if (auto good = check_option_name(method); !good) return std::unexpected(good.error());
    const std::uint32_t header = document.stanzas().at(stanza).header;
    const Line& line = document.lines()[header];
    const auto words = document.words(line);
    if (line.kind != LineKind::iface || words.size() != 4)
        return std::unexpected(
            located(document, line, ErrorCode::malformed, "the stanza does not say family and method"));
    const std::string old(words[3].in(document.text()));
    if (old == method) return Change{};
    Statement said{line.kind, {}};
    for (const auto& word : words.first(3))
        said.second += std::string(word.in(document.text())) + " ";
    said.second += method;
    return proved(document, {{words[3].begin, old, method}}, {.instead = {{header, {said}}}, .at_end = {}});
}

Result<Change> remove_stanza(const Document& document, std::uint32_t stanza) {
    if (stanza >= document.stanzas().size())
        return std::unexpected(no_interface(document, fmt::format("stanza {}", stanza)));
    std::set<std::uint32_t> lines;
    drop_lines(document.stanzas()[stanza], lines);
    Expectation expectation;
    for (const auto line : lines)
        expectation.instead[line] = {};
    return proved(document, without_lines(document, lines), expectation);
}

Result<Change> remove_interface(const Document& document, const std::string& name) {
    std::set<std::uint32_t> lines;
    for (const auto& stanza : document.stanzas())
        if (is_interface(document, stanza, name)) drop_lines(stanza, lines);
    if (lines.empty()) return std::unexpected(no_interface(document, name));
    Change words;
    Expectation expectation;
    for (std::uint32_t index = 0; index < document.lines().size(); ++index) {
        const Line& line = document.lines()[index];
        if (!names_interfaces(line.kind)) continue;
        const auto tokens = document.words(line);
        Change own;
        for (std::size_t at = 1; at < tokens.size(); ++at)
            if (tokens[at].in(document.text()) == name) {
                const std::size_t begin = tokens[at - 1].end;
                own.push_back({begin, document.text().substr(begin, tokens[at].end - begin), {}});
            }
        if (own.empty()) continue;
        if (own.size() + 1 == tokens.size()) {
            lines.insert(index);
        } else {
            expectation.instead[index] = {said_without(document, line, name)};
            words.insert(words.end(), own.begin(), own.end());
        }
    }
    for (const auto line : lines)
        expectation.instead[line] = {};
    Change change = without_lines(document, lines);
    change.insert(change.end(), words.begin(), words.end());
    std::ranges::sort(change, {}, &Splice::at);
    return proved(document, std::move(change), expectation);
}

Result<Change> rename_interface(const Document& document, const std::string& from, const std::string& to) {
    if (auto good = check_interface_name(to); !good) return std::unexpected(good.error());
    bool found = false;
    for (const auto& stanza : document.stanzas()) {
        if (is_interface(document, stanza, to) && from != to)
            return std::unexpected(located(document, document.lines()[stanza.header], ErrorCode::conflict,
                                           fmt::format("there is a stanza named {} already", to)));
        found |= is_interface(document, stanza, from);
    }
    if (!found) return std::unexpected(no_interface(document, from));
    Change change;
    Expectation expectation;
    if (from == to) return change;
    for (std::uint32_t index = 0; index < document.lines().size(); ++index) {
        const Line& line = document.lines()[index];
        bool renamed = names_interfaces(line.kind);
        const bool header = line.kind == LineKind::iface || line.kind == LineKind::vlan;
        if (line.kind == LineKind::option) {
            const auto name = canonical(document.words(line)[0].in(document.text()));
            renamed = std::ranges::find(naming_options, name) != naming_options.end();
        }
        if (renamed || header) replace_words(document, index, from, to, header, change, expectation);
    }
    return proved(document, std::move(change), expectation);
}

Result<Change> add_source(const Document& document, const std::string& pattern) {
    if (auto good = check_option_value(pattern); !good) return std::unexpected(good.error());
    if (!pattern.starts_with('/') || pattern.find_first_of(" \t") != std::string::npos)
        return std::unexpected(Error{.code = ErrorCode::bad_request,
                                     .subject = pattern,
                                     .message = "a sourced path is absolute and has no blanks"});
    const std::string line = "source " + pattern;
    const auto& lines = document.lines();
    for (std::uint32_t index = static_cast<std::uint32_t>(lines.size()); index-- > 0;) {
        if (lines[index].kind != LineKind::source || open_ended(document, lines[index])) continue;
        const std::string line_end =
            document.text_of(lines[index]).ends_with("\r\n") ? "\r\n" : style_at_end(document).line_end;
        return proved(document, behind_line(document, lines[index], line, line_end),
                      {.instead = {{index, {statement(document, lines[index]), {LineKind::source, line}}}},
                       .at_end = {}});
    }
    return at_end(document, {line}, {{LineKind::source, line}});
}

Result<Change> remove_source(const Document& document, const std::string& pattern) {
    for (std::uint32_t index = 0; index < document.lines().size(); ++index) {
        const Line& line = document.lines()[index];
        if (line.kind == LineKind::source && statement(document, line).second == "source " + pattern)
            return proved(document, without_lines(document, {index}),
                          {.instead = {{index, {}}}, .at_end = {}});
    }
    return std::unexpected(Error{.code = ErrorCode::not_found,
                                 .subject = pattern,
                                 .message = "there is no such source line",
                                 .file = document.name()});
}

}  // namespace pve_rdma::eni
