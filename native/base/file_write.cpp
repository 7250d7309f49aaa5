#include "base/file_write.h"

#include <cerrno>

#include <sys/stat.h>

#include <fcntl.h>
#include <unistd.h>

namespace pve_rdma {

namespace {

Result<void> write_all(int fd, const std::string& path, std::string_view content) {
    while (!content.empty()) {
        const ssize_t written = ::write(fd, content.data(), content.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return std::unexpected(errno_error(errno, path, "cannot write"));
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Result<void> write_in_place(const std::string& path, std::string_view content, unsigned mode) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    if (fd < 0) return std::unexpected(errno_error(errno, path, "cannot open for writing"));
    auto result = write_all(fd, path, content);
    if (::close(fd) != 0 && result) result = std::unexpected(errno_error(errno, path, "cannot write"));
    return result;
}

}  // namespace

Result<void> write_file(const std::string& path, std::string_view content, unsigned mode) {
    struct stat status{};
    if (::lstat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
        return write_in_place(path, content, mode);
    const std::string temporary = path + ".new-" + std::to_string(::getpid());
    const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0) return std::unexpected(errno_error(errno, temporary, "cannot create the new file"));
    auto result = write_all(fd, path, content);
    if (result && ::fsync(fd) != 0) result = std::unexpected(errno_error(errno, path, "cannot sync"));
    ::close(fd);
    if (result && ::rename(temporary.c_str(), path.c_str()) != 0)
        result = std::unexpected(errno_error(errno, path, "cannot rename the new file over it"));
    if (!result) {
        ::unlink(temporary.c_str());
        return result;
    }
    const auto slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    if (const int folder_fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder_fd >= 0) {
        ::fsync(
            folder_fd);  // a folder that cannot be synced (some network file systems) still holds the file
        ::close(folder_fd);
    }
    return result;
}

}  // namespace pve_rdma
