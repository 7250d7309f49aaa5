// How this layer sees files: it opens none itself.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"

namespace pve_rdma::eni {

// Paths are absolute. Errors carry errno; ENOENT means that there is no such file.
class FileReader {
  public:
    virtual ~FileReader() = default;
    // The whole file; more than `limit` octets is ErrorCode::malformed.
    virtual Result<std::string> read(const std::string& path, std::size_t limit) = 0;
    // Names in a folder, in any order.
    virtual Result<std::vector<std::string>> list(const std::string& folder) = 0;
};

// Files that stand in memory, by path: for tests, and for a text that is not a file yet.
class MemoryFiles : public FileReader {
  public:
    explicit MemoryFiles(std::map<std::string, std::string> files) : files_(std::move(files)) {}
    Result<std::string> read(const std::string& path, std::size_t limit) override;
    Result<std::vector<std::string>> list(const std::string& folder) override;

  private:
    std::map<std::string, std::string> files_;
};

// Some files replaced by texts, the others as another reader sees them: what a change would lead to.
class OverlayFiles : public FileReader {
  public:
    OverlayFiles(FileReader& below, std::map<std::string, std::string> files)
        : below_(below), files_(std::move(files)) {}
    Result<std::string> read(const std::string& path, std::size_t limit) override;
    Result<std::vector<std::string>> list(const std::string& folder) override;

  private:
    FileReader& below_;
    std::map<std::string, std::string> files_;
};

// The files that a `source` pattern names, sorted: *, ? and [] in any component, as glob(7). A pattern
// without them is returned as it stands, whether the file exists or not.
Result<std::vector<std::string>> expand_pattern(FileReader&, const std::string& pattern);

// The files that `source-directory` reads: names of letters, digits, _ and - only (interfaces(5)), sorted.
Result<std::vector<std::string>> directory_files(FileReader&, const std::string& folder);

}  // namespace pve_rdma::eni
