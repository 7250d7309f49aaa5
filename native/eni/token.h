// The tokens of interfaces(5). They tile the text: joined in order they are the text.
//
// Sources: interfaces(5) of ifupdown 0.8 and of ifupdown2. Both split words at white space, take a line whose
// first character is # for a comment, and join a line that ends in a backslash with the next one. Where they
// differ, this is the reading of interfaces(5): a comment is never continued, and a backslash continues a
// line only as its last character. check.h tells where ifupdown2 reads something else.
#pragma once

#include <cstdint>
#include <string_view>

namespace pve_rdma::eni {

enum class TokenKind : std::uint8_t {
    bom,           // the UTF-8 byte order mark, only at the begin of the text
    space,         // blanks, tabs, vertical tabs, form feeds, carriage returns that end no line
    word,          // anything else, also octets that are no UTF-8, and NUL
    comment,       // from # to the end of its line, without the line's end
    continuation,  // a backslash and the line end behind it, or a backslash as the last octet of the text
    line_end,      // "\n" or "\r\n"
};

struct Token {
    TokenKind kind = TokenKind::space;
    std::uint32_t begin = 0, end = 0;  // octets of the text

    std::string_view in(std::string_view text) const { return text.substr(begin, end - begin); }
    bool operator==(const Token&) const = default;
};

// Reads a text, or from the begin of one of its lines. No limits: Document has them.
class Lexer {
  public:
    explicit Lexer(std::string_view text, std::uint32_t at = 0) : text_(text), at_(at) {}
    // False at the end of the text.
    bool next(Token&);

  private:
    void read_word(Token&);
    std::uint32_t line_end_length(std::uint32_t at) const;      // 0: no line ends at `at`
    std::uint32_t continuation_length(std::uint32_t at) const;  // 0: no line is continued at `at`
    bool blank(std::uint32_t at) const;

    std::string_view text_;
    std::uint32_t at_;
    bool may_comment_ = true;  // only white space was seen in this line
};

}  // namespace pve_rdma::eni
