// Text in columns of a terminal. The text is UTF-8; each character is taken as one column.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pve_rdma {

std::size_t columns_of(std::string_view text);

// At most so many columns; a cut is shown as "...".
std::string shortened(std::string_view text, std::size_t columns);

// Lines of at most `columns`, broken at spaces; a longer word stands alone on its line, whole. One empty line
// for an empty text.
std::vector<std::string> lines_of(std::string_view text, std::size_t columns);

}  // namespace pve_rdma
