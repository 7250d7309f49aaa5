#include "base/json_write.h"

#include <charconv>

#include "base/json_document.h"

namespace pve_rdma {

namespace {

// Nothing that JSON writes with a backslash, and nothing beyond ASCII.
bool is_plain(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        return c >= ' ' && c != '"' && c != '\\' && static_cast<unsigned char>(c) < 0x7f;
    });
}

template <class Number>
void append_number(std::string& text, Number value) {
    char digits[24];
    const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), value);
    text.append(digits, end);
}

}  // namespace

void JsonText::new_line() {
    if (indent_ < 0) return;
    text_ += '\n';
    text_.append(static_cast<std::size_t>(depth_ * indent_), ' ');
}

void JsonText::begin_value() {
    if (after_key_) {
        after_key_ = false;
        return;
    }
    if (depth_ == 0) return;
    if (!first_) text_ += ',';
    first_ = false;
    new_line();
}

void JsonText::open(char bracket) {
    begin_value();
    text_ += bracket;
    ++depth_;
    first_ = true;
}

void JsonText::close(char bracket) {
    --depth_;
    if (!first_) new_line();
    first_ = false;
    text_ += bracket;
}

void JsonText::key(std::string_view name) {
    begin_value();
    quoted(name);
    text_ += indent_ < 0 ? ":" : ": ";
    after_key_ = true;
}

void JsonText::word(std::string_view literal) {
    begin_value();
    text_ += literal;
}

void JsonText::quoted(std::string_view text) {
    if (is_plain(text)) {
        text_ += '"';
        text_ += text;
        text_ += '"';
    } else {
        text_ += document_text(OrderedJson(text), -1);
    }
}

void JsonText::string(std::string_view text) {
    begin_value();
    quoted(text);
}

void JsonText::signed_integer(std::int64_t value) {
    begin_value();
    append_number(text_, value);
}

void JsonText::unsigned_integer(std::uint64_t value) {
    begin_value();
    append_number(text_, value);
}

void JsonText::number(double value) {
    begin_value();
    text_ += document_text(OrderedJson(value), -1);  // "1.0", and null for what JSON has no word for
}

}  // namespace pve_rdma
