// The machine that observers read: its file tree, and whether its kernel can be asked.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "facts/source.h"

namespace pve_rdma {

// Threads: a Machine may be read from several threads at once.
class Machine {
  public:
    // "/" is this node. Any other folder is a recorded tree: its files are read, no kernel interface is
    // asked, and no path or symbolic link leads out of it (openat2 with RESOLVE_IN_ROOT).
    static Result<Machine> open(const std::string& root);

    const std::string& root() const { return root_; }
    bool live() const { return root_fd_ == nullptr; }

    // Paths are absolute within the tree: "/sys/class/net". An error carries the path as its subject and the
    // errno. text: the file's content without trailing white space; more than `limit` octets is
    // ErrorCode::malformed.
    Result<std::string> text(const std::string& path, std::size_t limit = 64 * 1024) const;
    // Content as it is (EEPROM, PCI config); reads at most `limit` octets.
    Result<std::string> bytes(const std::string& path, std::size_t limit) const;
    // The octets [offset, offset + size), fewer at the end; for files of which little is wanted.
    Result<std::string> part(const std::string& path, std::size_t offset, std::size_t size) const;
    Result<std::size_t> size(const std::string& path) const;  // octets; 0 for most files of proc
    // Names in a folder, sorted as people count (ib2 before ib10); at most 100,000.
    Result<std::vector<std::string>> list(const std::string& path) const;
    // Target of a symbolic link, as it stands in it.
    Result<std::string> link(const std::string& path) const;
    // Last component of a symbolic link's target: "driver" -> "mlx5_core".
    Result<std::string> link_name(const std::string& path) const;
    bool exists(const std::string& path) const;
    bool is_directory(const std::string& path) const;

  private:
    struct Fd;
    Result<int> open_at(const std::string& path, int flags) const;
    std::string root_;
    std::shared_ptr<const Fd> root_fd_;  // nullptr: this node
};

// The source of an observer that asks a kernel, on a recorded tree.
Source recorded_source();

}  // namespace pve_rdma
