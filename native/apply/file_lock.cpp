#include "apply/file_lock.h"

#include <cerrno>
#include <thread>

#include <sys/file.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <unistd.h>

namespace pve_rdma {

Result<FileLock> FileLock::take(const std::string& path, std::chrono::milliseconds wait) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return std::unexpected(errno_error(errno, path, "cannot open the lock file"));
    FileLock lock(fd);
    const auto deadline = std::chrono::steady_clock::now() + wait;
    while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EINTR) continue;
        if (errno != EWOULDBLOCK) return std::unexpected(errno_error(errno, path, "cannot lock"));
        if (std::chrono::steady_clock::now() >= deadline)
            return std::unexpected(Error{.code = ErrorCode::conflict,
                                         .subject = path,
                                         .message = "another program holds this lock",
                                         .hint = "fuser -v shows which one"});
        std::this_thread::sleep_for(std::chrono::milliseconds(20));  // flock has no timeout
    }
    return lock;
}

FileLock::~FileLock() {
    if (fd_ >= 0) ::close(fd_);
}

namespace {

Result<std::string> make_own_folder() {
    const std::string folder = std::string(own_lock).substr(0, std::string(own_lock).rfind('/'));
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return std::unexpected(errno_error(errno, folder, "cannot make the folder of the lock"));
    return folder;
}

}  // namespace

Result<FileLock> take_own_lock(const std::string& name, std::chrono::milliseconds wait) {
    const auto folder = make_own_folder();
    if (!folder) return std::unexpected(folder.error());
    return FileLock::take(*folder + "/" + name + ".lock", wait);
}

Result<std::vector<FileLock>> take_interfaces_locks(std::chrono::milliseconds wait) {
    if (const auto folder = make_own_folder(); !folder) return std::unexpected(folder.error());
    std::vector<FileLock> locks;
    for (const char* path : {own_lock, proxmox_lock}) {
        auto lock = FileLock::take(path, wait);
        if (!lock) return std::unexpected(lock.error());
        locks.push_back(std::move(*lock));
    }
    return locks;
}

}  // namespace pve_rdma
