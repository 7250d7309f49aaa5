// Locks between programs: flock(2) on a file that stays.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace pve_rdma {

// Held until it is destroyed, or the process ends in whatever way.
class FileLock {
  public:
    // Makes the file (mode 0600) when it is not there. ErrorCode::conflict when another holds the lock for as
    // long as `wait`.
    static Result<FileLock> take(const std::string& path, std::chrono::milliseconds wait);

    FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    FileLock& operator=(FileLock&&) = delete;
    ~FileLock();

  private:
    explicit FileLock(int fd) : fd_(fd) {}
    int fd_;
};

inline constexpr std::chrono::milliseconds lock_wait{10'000};

// What a change of /etc/network/interfaces takes, always in this order: our own lock, then the one of
// Proxmox's editor. (ifupdown2's is held by ifreload itself.)
inline constexpr const char* own_lock = "/run/pve-rdma/lock";
inline constexpr const char* proxmox_lock = "/etc/network/.pve-interfaces.lock";
Result<std::vector<FileLock>> take_interfaces_locks(std::chrono::milliseconds wait = lock_wait);

// /run/pve-rdma/NAME.lock
Result<FileLock> take_own_lock(const std::string& name, std::chrono::milliseconds wait = lock_wait);

}  // namespace pve_rdma
