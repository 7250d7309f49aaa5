// Reads a node and a bundle for a check, and asks apt: the IO of `pve-rdma ofed`, in one place.
#pragma once

#include <string>
#include <vector>

#include "facts/report.h"
#include "ofed/verdict.h"

namespace pve_rdma::ofed {

struct CheckRequest {
    std::vector<std::string> bundles;   // paths
    std::vector<std::string> packages;  // of the node's apt sources
    std::vector<std::string> flags;     // of mlnxofedinstall
    std::optional<std::string> pasted;  // text of commands
    bool files = false;  // compare the bundle's files with those of the node: reads every package whole
    std::string root = "/";
};

// What dpkg has; nullopt when its status file cannot be read.
std::optional<Installed> read_installed(const Machine&);

// The node's report is handed in: who observes decides what is observed.
Result<Judgement> check_node(const CheckRequest&, const NodeReport&, const Machine&);

}  // namespace pve_rdma::ofed
