// What a reader of interfaces(5) accepts, so that no file can make it slow or large.
#pragma once

#include <cstddef>

namespace pve_rdma::eni {

inline constexpr std::size_t max_octets = 16u << 20;       // of one file, and of a file with all it sources
inline constexpr std::size_t max_lines = 1'000'000;        // of the same
inline constexpr std::size_t max_line_octets = 64u << 10;  // of one line with its continuations
inline constexpr std::size_t max_source_depth = 16;
inline constexpr std::size_t max_inherits = 32;  // stanzas that one takes options over from
inline constexpr std::size_t max_files = 1024;   // read for one `source` tree
inline constexpr std::size_t max_patterns = 64;  // in auto and allow-* lines; further ones match nothing
inline constexpr std::size_t max_folder_names = 10'000;  // that one pattern may look at
inline constexpr std::size_t max_diagnostics = 1000;     // that a check returns

}  // namespace pve_rdma::eni
