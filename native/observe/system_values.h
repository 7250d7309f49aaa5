// What files of /proc and /etc hold: pure functions of their text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pve_rdma {

// The words of /proc/cmdline that matter to cards, their names and IOMMU, in order. A quoted value may hold
// spaces.
std::vector<std::string> command_line_words(std::string_view text);

// "0-3,8,10-11" -> 7; nullopt when it is not a list of numbers and ranges.
std::optional<std::uint32_t> count_in_list(std::string_view text);

// The value of KEY=value or KEY="value" in os-release.
std::optional<std::string> os_release_value(std::string_view text, std::string_view key);

// "Linux version 6.14.8-2-pve (build@host) ..." -> 6.14.8-2-pve.
std::optional<std::string> version_release(std::string_view text);

// Soft and hard limit of "Max locked memory" in /proc/PID/limits: octets, or "unlimited".
std::optional<std::pair<std::string, std::string>> memlock_limits(std::string_view text);

// "none [integrity] confidentiality" -> integrity.
std::optional<std::string> chosen_word(std::string_view text);

}  // namespace pve_rdma
