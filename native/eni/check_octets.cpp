// Octets, line ends and backslashes that ifupdown2 reads otherwise than the eye does.
#include <algorithm>

#include <fmt/format.h>

#include "eni/check.h"
#include "eni/utf8.h"

namespace pve_rdma::eni {

namespace {

// White space for Python's \s beyond ASCII: ifupdown2 splits words there, and nobody sees it.
bool unicode_space(char32_t point) {
    return point == 0x85 || point == 0xa0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200a) ||
           point == 0x2028 || point == 0x2029 || point == 0x202f || point == 0x205f || point == 0x3000;
}

void check_characters(const Document& document, std::uint32_t file, Findings& findings) {
    const std::string_view text = document.text();
    if (text.starts_with("\xef\xbb\xbf"))
        findings.add_at("byte-order-mark", Severity::error, file, 0, 3,
                        "a byte order mark: ifupdown2 does not know the first line and says it is in error",
                        "remove the first three octets (EF BB BF)");
    if (const auto bad = first_invalid_utf8(text); bad != std::string_view::npos)
        findings.add_at(
            "not-utf8", Severity::error, file, bad, 1,
            "this octet is no UTF-8: ifupdown2 drops the whole file, and the node comes up without "
            "network",
            "write the character as UTF-8, also in a comment");
    if (const auto nul = text.find('\0'); nul != std::string_view::npos)
        findings.add_at("nul-octet", Severity::error, file, nul, 1,
                        "a NUL octet: classic ifupdown ends the line here",
                        "remove it; a file of NULs is what a power cut leaves behind");
    for (std::size_t at = 0; at < text.size() && !findings.full();) {
        char32_t point = 0;
        const auto length =
            static_cast<unsigned char>(text[at]) < 0x80 ? 1 : decode_utf8(text.substr(at), point);
        if (length > 1 && unicode_space(point)) {
            findings.add_at("no-ascii-space", Severity::error, file, at, length,
                            fmt::format("U+{:04X} looks like a blank and is none for ifupdown and Proxmox",
                                        static_cast<std::uint32_t>(point)),
                            "type a blank or a tab");
        } else if (text[at] == '\r' && (at + 1 >= text.size() || text[at + 1] != '\n')) {
            findings.add_at("carriage-return", Severity::warning, file, at, 1,
                            "a carriage return within a line: ifupdown2 begins a new line here", "remove it");
        } else if ((text[at] == '\f' || text[at] == '\v') && !text.empty()) {
            findings.add_at("control-space", Severity::warning, file, at, 1,
                            "a form feed or vertical tab: ifupdown2 makes it part of a value, or an option "
                            "without a name",
                            "remove it");
        }
        at += std::max<std::size_t>(length, 1);
    }
    if (const auto line_end = text.find("\r\n"); line_end != std::string_view::npos)
        findings.add_at(
            "crlf", Severity::warning, file, line_end, 1,
            "line ends of DOS: ifupdown2 takes them, classic ifupdown makes the carriage return part "
            "of the last word",
            "convert the file: sed -i 's/\\r$//'");
}

// ifupdown2 takes every backslash for a continuation, and drops the white space and line ends behind it.
void check_backslashes(const Document& document, std::uint32_t file, Findings& findings) {
    constexpr std::string_view spaces = " \t\v\f\r\n";
    const std::string_view text = document.text();
    for (auto at = text.find('\\'); at != std::string_view::npos && !findings.full();
         at = text.find('\\', at + 1)) {
        const auto& lines = document.lines();
        auto line = std::ranges::upper_bound(lines, static_cast<std::uint32_t>(at), {}, &Line::begin);
        --line;
        const auto next = text.find_first_not_of(spaces, at + 1);
        const auto skipped = text.substr(at + 1, next == std::string_view::npos ? next : next - at - 1);
        const auto line_ends = std::ranges::count(skipped, '\n');
        const bool at_line_end = skipped.starts_with('\n') || skipped.starts_with("\r\n");
        if (line->kind == LineKind::comment && line_ends)
            findings.add_at(
                "comment-continues", Severity::error, file, at, 1,
                "a comment that ends in a backslash: ifupdown2 takes the next line for a part of it",
                "remove the backslash");
        else if (line->kind == LineKind::comment)
            continue;
        else if (next == std::string_view::npos)
            findings.add_at("backslash-at-end", Severity::warning, file, at, 1,
                            "the file ends in a backslash: what is added below will be part of this line",
                            "remove the backslash");
        else if (at_line_end && line_ends > 1)
            findings.add_at("continues-over-blank", Severity::error, file, at, 1,
                            "a continuation before a blank line: ifupdown2 joins the line behind it too",
                            "remove the backslash");
        else if (at_line_end && at > 0 && !spaces.contains(text[at - 1]) &&
                 text.substr(at).find_first_not_of("\r\n", 1) == static_cast<std::size_t>(next - at))
            findings.add_at("continuation-in-word", Severity::warning, file, at, 1,
                            "a word that a continuation splits: ifupdown2 makes two words of it",
                            "break the line between words");
        else if (!at_line_end && line_ends)
            findings.add_at(
                "blank-after-backslash", Severity::error, file, at, 1,
                "white space behind the backslash: ifupdown2 joins the next line, classic ifupdown "
                "does not",
                "remove the white space, or the backslash");
        else if (!at_line_end)
            findings.add_at("backslash-dropped", Severity::error, file, at, 1,
                            "a backslash within a line: ifupdown2 puts a blank in its place",
                            "write the command into a script of its own");
    }
}

// Templates: ifupdown2 renders the file with Mako as soon as there is a % in it, when python3-mako is there.
void check_template(const Document& document, std::uint32_t file, Findings& findings) {
    const std::string_view text = document.text();
    if (const auto percent = text.find('%'); percent != std::string_view::npos)
        findings.add_at(
            "template", Severity::warning, file, percent, 1,
            "a % makes ifupdown2 render the whole file as a Mako template: lines that begin with % "
            "or ## and every ${...} have a meaning of their own",
            "put the command into a script of its own, or double the % at the begin of a line");
}

}  // namespace

void check_octets(const View& view, Findings& findings) {
    for (std::uint32_t file = 0; file < view.files.size(); ++file) {
        check_characters(view.files[file], file, findings);
        check_backslashes(view.files[file], file, findings);
        check_template(view.files[file], file, findings);
    }
}

}  // namespace pve_rdma::eni
