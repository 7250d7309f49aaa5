// What a transaction asks of the disk, so that a test can let every single operation fail, or be the last one
// before a power cut. The real one is DiskOfThisNode.
#pragma once

#include <cerrno>
#include <string>
#include <string_view>
#include <vector>

#include "apply/replace_file.h"

namespace pve_rdma {

// What returns without an error is on the disk: a power cut does not take it back. What returns with one may
// have been done all the same. All but `append` happen wholly or not at all, also under a power cut.
// Of an error of reading: that there is nothing of this name. A device that does not answer is something
// else.
inline bool is_absent(const Error& error) {
    return error.code == ErrorCode::not_found && (error.errno_value == 0 || error.errno_value == ENOENT);
}

class Disk {
  public:
    virtual ~Disk() = default;

    // ErrorCode::malformed for a file of more than `limit` octets.
    virtual Result<std::string> read(const std::string& path, std::size_t limit) = 0;
    virtual Result<std::vector<std::string>> list(const std::string& folder) = 0;  // sorted
    // With the folders above it, mode 0700; fine when it is there.
    virtual Result<void> make_folder(const std::string& path) = 0;
    // errno EEXIST when it is there: of several writers one succeeds.
    virtual Result<void> create(const std::string& path, std::string_view content, unsigned mode = 0600) = 0;
    // An empty new file with room for so many octets that are appended, where the file system can promise it.
    virtual Result<void> reserve(const std::string& path, std::size_t octets) = 0;
    // A power cut or a full disk may leave the beginning of the line.
    virtual Result<void> append(const std::string& path, std::string_view line) = 0;
    virtual Result<void> replace(const Replacement&) = 0;
    virtual Result<void> remove(const std::string& path) = 0;         // fine when it is not there
    virtual Result<void> remove_folder(const std::string& path) = 0;  // with what is in it
};

}  // namespace pve_rdma
