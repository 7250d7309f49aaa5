#include "observe/machine.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <utility>

#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace pve_rdma {

struct Machine::Fd {
    int value;
    explicit Fd(int fd) : value(fd) {}
    Fd(const Fd&) = delete;
    Fd& operator=(const Fd&) = delete;
    ~Fd() { ::close(value); }
};

namespace {

constexpr std::size_t max_names = 100'000;

struct Closer {
    int fd;
    ~Closer() { ::close(fd); }
};

}  // namespace

Result<Machine> Machine::open(const std::string& root) {
    Machine machine;
    machine.root_ = root;
    if (root == "/") return machine;
    const int fd = ::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        Error error = errno_error(errno, root, "cannot open the recorded tree");
        error.hint = "the folder holds sys/, proc/ and etc/ of a node";
        return std::unexpected(error);
    }
    machine.root_fd_ = std::make_shared<Fd>(fd);
    return machine;
}

Result<int> Machine::open_at(const std::string& path, int flags) const {
    int fd = -1;
    if (!root_fd_) {
        // A plain open(2): what a preloaded simulator (umad2sim) redirects is then seen here too.
        fd = ::open(path.c_str(), flags | O_CLOEXEC);
    } else {
        open_how how{};
        how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
        how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
        // EAGAIN: something anywhere was renamed or mounted while ".." was followed (openat2(2)).
        for (int tries = 0; tries < 100; ++tries) {
            fd = static_cast<int>(::syscall(SYS_openat2, root_fd_->value, path.c_str(), &how, sizeof how));
            if (fd >= 0 || errno != EAGAIN) break;
        }
    }
    if (fd < 0) return std::unexpected(errno_error(errno, path, "cannot open"));
    return fd;
}

namespace {

// A long file's text grows once, not by doubling.
void reserve_for(int fd, std::size_t limit, std::string& content) {
    struct stat status{};
    if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
        content.reserve(std::min(limit, static_cast<std::size_t>(status.st_size)));
}

}  // namespace

Result<std::string> Machine::bytes(const std::string& path, std::size_t limit) const {
    // O_NONBLOCK: a FIFO in a recorded tree must not hang the reader.
    const auto fd = open_at(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (!fd) return std::unexpected(fd.error());
    const Closer closer{*fd};
    std::string content;
    char buffer[32768];
    const bool whole_at_once =
        path.starts_with("/sys/");  // one read(2) gives an attribute of sysfs, at most a page
    while (content.size() < limit) {
        const ssize_t got = ::read(*fd, buffer, std::min(sizeof buffer, limit - content.size()));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return std::unexpected(errno_error(errno, path, "cannot read"));
        if (content.empty() && got == sizeof buffer) reserve_for(*fd, limit, content);
        content.append(buffer, static_cast<std::size_t>(got));
        if (got == 0 || (whole_at_once && got < 4096)) break;
    }
    return content;
}

Result<std::string> Machine::part(const std::string& path, std::size_t offset, std::size_t size) const {
    const auto fd = open_at(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (!fd) return std::unexpected(fd.error());
    const Closer closer{*fd};
    std::string content(size, '\0');
    ssize_t got = -1;
    do
        got = ::pread(*fd, content.data(), size, static_cast<off_t>(offset));
    while (got < 0 && errno == EINTR);
    if (got < 0) return std::unexpected(errno_error(errno, path, "cannot read"));
    content.resize(static_cast<std::size_t>(got));
    return content;
}

Result<std::size_t> Machine::size(const std::string& path) const {
    const auto fd = open_at(path, O_PATH);
    if (!fd) return std::unexpected(fd.error());
    const Closer closer{*fd};
    struct stat status{};
    if (::fstat(*fd, &status) < 0) return std::unexpected(errno_error(errno, path, "cannot look at"));
    return static_cast<std::size_t>(std::max<off_t>(status.st_size, 0));
}

Result<std::string> Machine::text(const std::string& path, std::size_t limit) const {
    auto content = bytes(path, limit + 1);
    if (!content) return content;
    if (content->size() > limit)
        return std::unexpected(Error{.code = ErrorCode::malformed,
                                     .subject = path,
                                     .message = fmt::format("larger than the limit of {} octets", limit)});
    while (!content->empty() &&
           (content->back() == '\0' || std::strchr(" \t\r\n", content->back()) != nullptr))
        content->pop_back();
    return content;
}

Result<std::vector<std::string>> Machine::list(const std::string& path) const {
    DIR* stream = nullptr;
    if (!root_fd_) {
        stream = ::opendir(path.c_str());
    } else {
        const auto fd = open_at(path, O_RDONLY | O_DIRECTORY);
        if (!fd) return std::unexpected(fd.error());
        stream = ::fdopendir(*fd);
        if (!stream) ::close(*fd);
    }
    if (!stream) return std::unexpected(errno_error(errno, path, "cannot open the folder"));
    std::vector<std::string> names;
    errno = 0;
    while (const dirent* entry = ::readdir(stream)) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") names.emplace_back(name);
        if (names.size() == max_names) break;
    }
    const int failure = errno;
    ::closedir(stream);
    if (failure) return std::unexpected(errno_error(failure, path, "cannot read the folder"));
    std::ranges::sort(names, [](const std::string& a, const std::string& b) {
        return ::strverscmp(a.c_str(), b.c_str()) < 0;
    });
    return names;
}

Result<std::string> Machine::link(const std::string& path) const {
    char target[PATH_MAX];
    ssize_t length = -1;
    if (!root_fd_) {
        length = ::readlink(path.c_str(), target, sizeof target);
    } else {
        // Open the link itself: its folder is then resolved inside the tree as well.
        const auto fd = open_at(path, O_PATH | O_NOFOLLOW);
        if (!fd) return std::unexpected(fd.error());
        const Closer closer{*fd};
        length = ::readlinkat(*fd, "", target, sizeof target);
    }
    if (length < 0) return std::unexpected(errno_error(errno, path, "cannot read the symbolic link"));
    return std::string(target, static_cast<std::size_t>(length));
}

Result<std::string> Machine::link_name(const std::string& path) const {
    auto target = link(path);
    if (!target) return target;
    return target->substr(target->rfind('/') + 1);
}

bool Machine::exists(const std::string& path) const {
    const auto fd = open_at(path, O_PATH);
    if (fd) ::close(*fd);
    return fd.has_value();
}

bool Machine::is_directory(const std::string& path) const {
    const auto fd = open_at(path, O_PATH | O_DIRECTORY);
    if (fd) ::close(*fd);
    return fd.has_value();
}

Source recorded_source() {
    Source source;
    source.unavailable = "recorded";
    source.text = "a recorded tree has no running kernel to ask";
    return source;
}

}  // namespace pve_rdma
