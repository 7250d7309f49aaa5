// Text for a terminal: headings, aligned columns, colour where it is wanted, nothing wider than the terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "operations/operation.h"

namespace pve_rdma {

enum class Tone { plain, good, warning, bad, dim, bold };

struct Cell {
    std::string text;
    Tone tone = Tone::plain;
    Cell() = default;
    Cell(std::string content, Tone kind = Tone::plain)
        : text(std::move(content)), tone(kind) {}  // NOLINT: a word is a cell
    Cell(const char* content) : text(content) {}   // NOLINT
};

// `text` in the colour of its tone; unchanged without colour.
std::string toned(const std::string& text, Tone, const TextStyle&);

class TextTable {
  public:
    // Columns in order; an empty list of headings prints no heading line.
    explicit TextTable(std::vector<std::string> headings, int indent = 2)
        : headings_(std::move(headings)), indent_(indent) {}
    void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }
    bool empty() const { return rows_.empty(); }
    // Columns that are empty in every row are left out. The last column wraps at the width of the terminal
    // and goes on below itself; other columns are never cut.
    std::string render(const TextStyle&) const;

  private:
    std::vector<std::string> headings_;
    std::vector<std::vector<Cell>> rows_;
    int indent_;
};

// `text` broken at spaces into lines of at most `width` columns, each begun with `indent` spaces.
std::string wrapped(std::string_view text, int indent, const TextStyle&);

// Text from outside (descriptions, EEPROM) made safe for a line of a terminal.
std::string one_line(std::string_view text);

}  // namespace pve_rdma
