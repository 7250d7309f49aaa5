// What a transaction asks of the disk, so that a test can let every single operation fail, or be the last one
// before a power cut. The real one is DiskOfThisNode.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apply/replace_file.h"

namespace pve_rdma {

// What returns without an error is on the disk: a power cut does not take it back.
class Disk {
  public:
    virtual ~Disk() = default;

    virtual Result<std::string> read(const std::string& path, std::size_t limit) = 0;
    virtual Result<std::vector<std::string>> list(const std::string& folder) = 0;  // sorted
    // With the folders above it, mode 0700.
    virtual Result<void> make_folder(const std::string& path) = 0;
    // errno EEXIST when it is there: of several writers one succeeds. Mode 0600.
    virtual Result<void> create(const std::string& path, std::string_view content) = 0;
    virtual Result<void> append(const std::string& path, std::string_view line) = 0;
    virtual Result<void> replace(const Replacement&) = 0;
    virtual Result<void> remove(const std::string& path) = 0;         // fine when it is not there
    virtual Result<void> remove_folder(const std::string& path) = 0;  // with what is in it
};

}  // namespace pve_rdma
