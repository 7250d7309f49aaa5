// Storages of Proxmox VE (source "storage") from /etc/pve/storage.cfg: kinds and names, nothing that tells
// where data lies or how to reach it.
// Source: storage.cfg's section format, "TYPE: ID" and indented "key value" lines.
#pragma once

#include <string_view>
#include <vector>

#include "facts/report.h"
#include "observe/machine.h"

namespace pve_rdma {

// A node without the file is not a Proxmox VE node: nothing is noted.
void observe_storage(const Machine&, NodeReport&);

// Sections with a type and an id; lines that fit no section are passed over.
std::vector<Storage> parse_storage_config(std::string_view text);

}  // namespace pve_rdma
