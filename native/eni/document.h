// One file of interfaces(5): its text, octet for octet, and the table of its lines.
//
// The text is the truth: printing a document is printing its text. Lines tile it. Stanzas are ranges of
// lines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "eni/token.h"

namespace pve_rdma::eni {

enum class LineKind : std::uint8_t {
    blank,
    comment,
    automatic,        // auto, allow-auto
    allow,            // allow-CLASS
    iface,            // begins a stanza
    mapping,          // begins a stanza
    template_stanza,  // begins a stanza (ifupdown-ng; Proxmox keeps the line)
    vlan,             // begins a stanza (ifupdown2)
    source,
    source_directory,
    no_auto_down,
    no_scripts,
    rename,
    option,  // a line of a stanza
    stray,   // a line before any stanza that is none of these
};

bool begins_stanza(LineKind);
// What a line with this first word is; LineKind::option for a word that is no keyword.
LineKind kind_of_keyword(std::string_view word);

// A line with its continuations and its line end.
struct Line {
    std::uint32_t begin = 0, end = 0;              // octets of the text
    std::uint32_t number = 0;                      // 1-based, of its first physical line
    std::uint32_t first_word = 0, word_count = 0;  // among the document's words
    LineKind kind = LineKind::blank;
};

// A header line and its options: the lines of kind `option` up to and with `last`. Comments and blank lines
// between them stand inside; those behind the last option do not belong to it.
struct StanzaLines {
    std::uint32_t header = 0;  // index into lines()
    std::uint32_t last = 0;    // of its last option; header when it has none
};

class Document {
  public:
    // `name` stands in errors. ErrorCode::malformed when a limit (limits.h) is passed; nothing else is
    // refused.
    static Result<Document> parse(std::string text, std::string name);

    const std::string& text() const { return text_; }
    const std::string& name() const { return name_; }
    const std::vector<Line>& lines() const { return lines_; }
    const std::vector<StanzaLines>& stanzas() const { return stanzas_; }

    std::string_view text_of(const Line& line) const {
        return std::string_view(text_).substr(line.begin, line.end - line.begin);
    }
    std::vector<Token> tokens(const Line&) const;
    // The words of a line; a word that a continuation splits is two, as ifupdown2 reads it.
    std::span<const Token> words(const Line& line) const {
        return std::span(words_).subspan(line.first_word, line.word_count);
    }
    // What stands from one word to another (positions of words()), continuations and the white space around
    // them as one blank.
    std::string joined(const Line&, const Token& first, const Token& last) const;
    // 1-based column, in octets, within the physical line.
    int column(std::uint32_t at) const;
    // 1-based number of the physical line that holds an octet of this line.
    int number(const Line&, std::uint32_t at) const;

  private:
    std::string text_, name_;
    std::vector<Token> words_;  // of all lines, in order: nothing is lexed twice
    std::vector<Line> lines_;
    std::vector<StanzaLines> stanzas_;
};

// "bridge_ports" and "bridge-ports" are one option.
std::string canonical(std::string_view option_name);

}  // namespace pve_rdma::eni
