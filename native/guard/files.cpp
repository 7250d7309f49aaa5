#include "guard/files.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <vector>

#include <sys/mman.h>
#include <sys/stat.h>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace pve_rdma::guard {

Result<std::string> read_text(int fd, const std::string& name, std::size_t limit) {
    struct stat status{};
    std::size_t size = 0;
    if (::fstat(fd, &status) == 0 && status.st_size > 0) size = static_cast<std::size_t>(status.st_size);
    std::string text;
    text.reserve(size + 1);  // the octet more lets the last read find the end
    std::size_t filled = 0;
    while (true) {
        const std::size_t room = text.capacity() > filled ? text.capacity() - filled : filled + 4096;
        ssize_t got = 0;
        text.resize_and_overwrite(filled + room, [&](char* data, std::size_t) {
            do
                got = ::read(fd, data + filled, room);
            while (got < 0 && errno == EINTR);
            return filled + static_cast<std::size_t>(std::max<ssize_t>(got, 0));
        });
        if (got < 0) return std::unexpected(errno_error(errno, name, "cannot read"));
        if (got == 0) return text;
        filled = text.size();
        if (filled > limit)
            return std::unexpected(
                Error{.code = ErrorCode::malformed, .subject = name, .message = "is too large"});
    }
}

Result<std::string> read_text(const std::string& path, std::size_t limit) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return std::unexpected(errno_error(errno, path, "cannot open"));
    auto text = read_text(fd, path, limit);
    ::close(fd);
    return text;
}

Result<MappedText> MappedText::open(const std::string& path, std::size_t limit) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return std::unexpected(errno_error(errno, path, "cannot open"));
    struct stat status{};
    if (::fstat(fd, &status) != 0) status.st_size = -1;
    const auto size = static_cast<std::size_t>(std::max<off_t>(status.st_size, 0));
    void* place = MAP_FAILED;
    if (S_ISREG(status.st_mode) && size > 0 && size <= limit)
        place = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
    const int failure = errno;
    ::close(fd);
    if (place != MAP_FAILED) return MappedText({static_cast<const char*>(place), size});
    if (S_ISREG(status.st_mode) && size == 0) return MappedText();
    if (!S_ISREG(status.st_mode) || size > limit)
        return std::unexpected(Error{.code = ErrorCode::malformed,
                                     .subject = path,
                                     .message = size > limit ? "is too large" : "is no file"});
    return std::unexpected(errno_error(failure, path, "cannot read"));
}

MappedText::~MappedText() {
    if (!text_.empty()) ::munmap(const_cast<char*>(text_.data()), text_.size());
}

Result<std::vector<std::string>> read_folder(const std::string& path, std::size_t limit) {
    dirent** entries = nullptr;
    const auto visible = [](const dirent* entry) { return static_cast<int>(entry->d_name[0] != '.'); };
    const int count = ::scandir(path.c_str(), &entries, visible, ::alphasort);
    if (count < 0 && errno == ENOENT) return {};
    if (count < 0) return std::unexpected(errno_error(errno, path, "cannot read the folder"));
    std::vector<std::string> names, texts;
    for (int index = 0; index < count; ++index) {
        names.emplace_back(entries[index]->d_name);
        std::free(entries[index]);
    }
    std::free(entries);
    for (const std::string& name : names) {
        auto text = read_text(path + "/" + name, limit);
        if (!text) return std::unexpected(text.error());
        texts.push_back(std::move(*text));
    }
    return texts;
}

Result<std::string> place_in(const std::string& folder, std::string_view name) {
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return std::unexpected(errno_error(errno, folder, "cannot make the folder"));
    return folder + "/" + std::string(name);
}

Result<void> put_text(const std::string& path, std::string_view content) {
    const std::string fresh = path + ".new";
    ::unlink(fresh.c_str());
    const int fd = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) return std::unexpected(errno_error(errno, fresh, "cannot create"));
    const bool written = ::write(fd, content.data(), content.size()) == static_cast<ssize_t>(content.size());
    ::close(fd);
    if (written && ::rename(fresh.c_str(), path.c_str()) == 0) return {};
    return std::unexpected(errno_error(errno, path, "cannot write"));
}

}  // namespace pve_rdma::guard
