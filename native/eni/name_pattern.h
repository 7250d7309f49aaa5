// Names of interfaces in auto and allow-* lines that stand for several.
#pragma once

#include <string>
#include <string_view>

namespace pve_rdma::eni {

// "all", "/eth*" (ifupdown's shell pattern), "swp[1-4]" and "swp[1-4].100" (ifupdown2's ranges).
bool is_pattern(std::string_view name);
bool matches_pattern(const std::string& pattern, const std::string& name);

}  // namespace pve_rdma::eni
