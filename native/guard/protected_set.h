// The packages that the guard keeps: native/guard/protected.csv, compiled in, and what the node adds.
//
// Pure. Threads: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pve_rdma::guard {

// One of these must stay; with a single pattern, every package that fits it.
struct Kept {
    std::string tier;                   // node, cluster, storage, access, library; "local" for the node's own
    std::vector<std::string> patterns;  // glob(7)
    std::string why;

    bool matches(std::string_view name) const;
};

// `kernel`: the running kernel's release.
std::vector<Kept> shipped_set(std::string_view kernel);

// The node's own lines: "PATTERN" or "PATTERN | PATTERN", # begins a comment.
std::vector<Kept> local_set(std::string_view text, std::string_view kernel);

bool is_protected(const std::vector<Kept>&, std::string_view name);

}  // namespace pve_rdma::guard
