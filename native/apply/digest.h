// What a caller saw, in one word: two callers that edit the same files find out about each other by it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pve_rdma {

// SHA-256 (FIPS 180-4), in hexadecimal.
std::string sha256(std::string_view octets);

// Over the names and the octets of several files, in order: "sha256:...". No two sets of files share one.
std::string files_digest(const std::vector<std::pair<std::string_view, std::string_view>>& name_and_text);

}  // namespace pve_rdma
