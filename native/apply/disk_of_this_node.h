// The disk of the node that this program runs on.
#pragma once

#include "apply/disk.h"

namespace pve_rdma {

// Threads: has no state of its own.
class DiskOfThisNode final : public Disk {
  public:
    Result<std::string> read(const std::string& path, std::size_t limit) override;
    Result<std::vector<std::string>> list(const std::string& folder) override;
    Result<void> make_folder(const std::string& path) override;
    Result<void> create(const std::string& path, std::string_view content, unsigned mode) override;
    Result<void> reserve(const std::string& path, std::size_t octets) override;
    Result<void> append(const std::string& path, std::string_view line) override;
    Result<void> replace(const Replacement&) override;
    Result<void> remove(const std::string& path) override;
    Result<void> remove_folder(const std::string& path) override;
};

}  // namespace pve_rdma
