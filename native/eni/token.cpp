#include "eni/token.h"

#include <algorithm>

namespace pve_rdma::eni {

namespace {
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// Octets that can end a word. Nearly all others do not, and are passed over without a further look.
constexpr bool may_end_word(char c) {
    return c == ' ' || c == '\\' || (c >= '\t' && c <= '\r');
}

}  // namespace

std::uint32_t Lexer::line_end_length(std::uint32_t at) const {
    if (at < text_.size() && text_[at] == '\n') return 1;
    if (at + 1 < text_.size() && text_[at] == '\r' && text_[at + 1] == '\n') return 2;
    return 0;
}

std::uint32_t Lexer::continuation_length(std::uint32_t at) const {
    if (at >= text_.size() || text_[at] != '\\') return 0;
    if (at + 1 == text_.size()) return 1;
    const std::uint32_t length = line_end_length(at + 1);
    return length ? length + 1 : 0;
}

bool Lexer::blank(std::uint32_t at) const {
    const char c = text_[at];
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || (c == '\r' && !line_end_length(at));
}

void Lexer::read_word(Token& token) {
    const auto size = static_cast<std::uint32_t>(text_.size());
    token.kind = TokenKind::word;
    while (at_ < size &&
           (!may_end_word(text_[at_]) || (!blank(at_) && !line_end_length(at_) && !continuation_length(at_))))
        ++at_;
    may_comment_ = false;
}

bool Lexer::next(Token& token) {
    const auto size = static_cast<std::uint32_t>(text_.size());
    if (at_ >= size) return false;
    token.begin = at_;
    const bool begins_word = !may_end_word(text_[at_]) && text_[at_] != '#' && at_ != 0;
    if (begins_word) {
        read_word(token);
    } else if (at_ == 0 && text_.starts_with(byte_order_mark)) {
        token.kind = TokenKind::bom;
        at_ += static_cast<std::uint32_t>(byte_order_mark.size());
    } else if (const auto ends = line_end_length(at_)) {
        token.kind = TokenKind::line_end;
        at_ += ends;
        may_comment_ = true;
    } else if (const auto continues = continuation_length(at_)) {
        token.kind = TokenKind::continuation;
        at_ += continues;
        may_comment_ = false;
    } else if (blank(at_)) {
        token.kind = TokenKind::space;
        while (at_ < size && blank(at_))
            ++at_;
    } else if (text_[at_] == '#' && may_comment_) {
        token.kind = TokenKind::comment;
        at_ = static_cast<std::uint32_t>(std::min<std::size_t>(text_.find('\n', at_), size));
        if (at_ < size && text_[at_ - 1] == '\r') --at_;
    } else {
        read_word(token);
    }
    token.end = at_;
    return true;
}

}  // namespace pve_rdma::eni
