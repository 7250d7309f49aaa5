#include "plan/text_difference.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "eni/text_lines.h"

namespace pve_rdma {

namespace {

constexpr std::size_t most_comparisons = 4'000'000;

}  // namespace

eni::Change text_difference(std::string_view before, std::string_view after) {
    const auto old = eni::text_lines(before), wanted = eni::text_lines(after);
    std::size_t head = 0, tail = 0;
    while (head < old.size() && head < wanted.size() && old[head] == wanted[head])
        ++head;
    while (tail < old.size() - head && tail < wanted.size() - head &&
           old[old.size() - 1 - tail] == wanted[wanted.size() - 1 - tail])
        ++tail;
    const std::size_t rows = old.size() - head - tail, columns = wanted.size() - head - tail;

    // common[i][k]: length of the longest common subsequence of what follows old line i and wanted line k.
    const bool affordable = rows * columns <= most_comparisons;
    std::vector<std::uint32_t> common(affordable ? (rows + 1) * (columns + 1) : 0);
    const auto at = [&](std::size_t i, std::size_t k) -> std::uint32_t& {
        return common[i * (columns + 1) + k];
    };
    if (affordable)
        for (std::size_t i = rows; i-- > 0;)
            for (std::size_t k = columns; k-- > 0;)
                at(i, k) = old[head + i] == wanted[head + k] ? at(i + 1, k + 1) + 1
                                                             : std::max(at(i + 1, k), at(i, k + 1));

    eni::Change change;
    std::size_t octet = 0;
    for (std::size_t i = 0; i < head; ++i)
        octet += old[i].size();
    bool open = false;
    const auto splice = [&]() -> eni::Splice& {
        if (!open) change.push_back({octet, {}, {}});
        open = true;
        return change.back();
    };
    for (std::size_t i = 0, k = 0; i < rows || k < columns;) {
        if (i < rows && k < columns && affordable && old[head + i] == wanted[head + k]) {
            octet += old[head + i].size();
            open = false;
            ++i;
            ++k;
        } else if (i < rows && (k == columns || !affordable || at(i + 1, k) >= at(i, k + 1))) {
            splice().removed += old[head + i];
            octet += old[head + i].size();
            ++i;
        } else {
            splice().inserted += wanted[head + k];
            ++k;
        }
    }
    return change;
}

}  // namespace pve_rdma
