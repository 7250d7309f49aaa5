// Lines of 80 columns at most.
#pragma once

#include <string>
#include <string_view>

namespace pve_rdma {

inline constexpr std::size_t text_columns = 80;

// Characters, each taken as one column; the text is UTF-8.
std::size_t columns_of(std::string_view text);
// At most so many columns; a cut is shown as "...".
std::string shortened(std::string_view text, std::size_t columns);
// `text` after `label`, broken at spaces; what follows the first line stands below its text. Ends in '\n'.
std::string wrapped(std::string_view label, std::string_view text);

}  // namespace pve_rdma
