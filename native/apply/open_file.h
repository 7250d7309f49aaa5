// An open file, and what all writers of files need of it. Include only in the .cpp that does the calls.
#pragma once

#include <cerrno>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"

namespace pve_rdma {

// Closed when it is destroyed.
class Fd {
  public:
    explicit Fd(int fd) : fd_(fd) {}
    Fd(const Fd&) = delete;
    Fd& operator=(const Fd&) = delete;
    ~Fd() {
        if (fd_ >= 0) ::close(fd_);
    }
    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }

  private:
    int fd_;
};

// From errno.
inline std::unexpected<Error> failed(const std::string& subject, const char* message) {
    return std::unexpected(errno_error(errno, subject, message));
}

// With its slash.
inline std::string folder_of(const std::string& path) {
    return path.substr(0, path.rfind('/') + 1);
}

inline Result<void> write_all(int fd, const std::string& path, std::string_view content) {
    while (!content.empty()) {
        const ssize_t written = ::write(fd, content.data(), content.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return failed(path, "cannot write the file");
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

// ErrorCode::malformed beyond the limit.
inline Result<std::string> read_all(int fd, const std::string& path, std::size_t limit) {
    std::string content;
    char buffer[64 * 1024];
    while (true) {
        const ssize_t got = ::read(fd, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return failed(path, "cannot read");
        if (got == 0) return content;
        if (static_cast<std::size_t>(got) > limit - content.size())
            return std::unexpected(
                Error{.code = ErrorCode::malformed, .subject = path, .message = "is larger than it can be"});
        content.append(buffer, static_cast<std::size_t>(got));
    }
}

// Names in a folder are on the disk only when the folder is.
inline Result<void> sync_folder(const std::string& folder) {
    const Fd directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!directory || ::fsync(directory.get()) != 0)
        return failed(folder, "what was done here may not survive a power cut: cannot sync the folder");
    return {};
}

}  // namespace pve_rdma
