// One field of a row of data/*.csv, as CMake wrote it into a literal. Each conversion happens while
// tables.cpp is compiled: a field that does not fit its column is no constant expression.
#pragma once

#include <string_view>
#include <utility>

#include "boards/boards.h"

namespace pve_rdma::ofed {

struct Field {
    std::string_view text;
    consteval Field(const char* field) : text(field) {}  // NOLINT: a literal is a field
};

consteval std::string_view required(Field field) {
    if (field.text.empty()) throw "an empty field";
    return field.text;
}

consteval bool yes(Field field) {
    if (field.text != "yes" && field.text != "no") throw "neither yes nor no";
    return field.text == "yes";
}

template <class T, std::size_t count>
consteval T word(Field field, const std::pair<std::string_view, T> (&words)[count]) {
    for (const auto& [name, value] : words)
        if (field.text == name) return value;
    throw "not a word of this column";
}

consteval Confidence confidence(Field field) {
    constexpr std::pair<std::string_view, Confidence> words[]{
        {"low", Confidence::low}, {"medium", Confidence::medium}, {"high", Confidence::high}};
    return word(field, words);
}

}  // namespace pve_rdma::ofed
