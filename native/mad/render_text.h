// Lines of 80 columns at most.
#pragma once

#include <string>
#include <string_view>

namespace pve_rdma {

inline constexpr std::size_t text_columns = 80;

// `text` after `label`, broken at spaces; what follows the first line stands below its text. Ends in '\n'.
std::string wrapped(std::string_view label, std::string_view text);

}  // namespace pve_rdma
