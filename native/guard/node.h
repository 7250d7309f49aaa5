// What the guard knows of a node: its packages, and which of them it keeps.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "guard/database.h"
#include "guard/files.h"
#include "guard/protected_set.h"

namespace pve_rdma::guard {

inline constexpr const char* own_admindir = "/var/lib/dpkg";
inline constexpr const char* local_folder = "/etc/pve-rdma/guard.d";  // files of one pattern a line

struct Node {
    std::string admindir;
    MappedText status;               // the text that `packages` refer to,
    std::vector<std::string> notes;  // and these
    std::vector<Package> packages;
    std::vector<Kept> kept;

    Node() = default;
    Node(const Node&) = delete;  // a copied text would lie elsewhere
    Node& operator=(const Node&) = delete;
};

Result<std::vector<Kept>> kept_packages();
Result<void> read_node(Node&, const std::string& admindir = own_admindir);

// Both paths lead to one file or folder.
bool same_file(const std::string& left, const std::string& right);

}  // namespace pve_rdma::guard
