#include "apply/disk_of_this_node.h"

#include <filesystem>

#include <sys/stat.h>

#include "apply/open_file.h"

namespace pve_rdma {

namespace {

namespace fs = std::filesystem;

// The new file under another name, until it has its own.
struct Unnamed {
    std::string path;
    ~Unnamed() {
        if (!path.empty()) ::unlink(path.c_str());
    }
};

std::string beside(const std::string& path, std::string_view word) {
    const std::string folder = folder_of(path);
    return folder + "." + path.substr(folder.size()) + std::string(word);
}

}  // namespace

Result<std::string> DiskOfThisNode::read(const std::string& path, std::size_t limit) {
    const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file) return failed(path, "cannot open");
    return read_all(file.get(), path, limit);
}

Result<std::vector<std::string>> DiskOfThisNode::list(const std::string& folder) {
    std::error_code failure;
    std::vector<std::string> names;
    for (auto entry = fs::directory_iterator(folder, failure); !failure && entry != fs::directory_iterator();
         entry.increment(failure))
        names.push_back(entry->path().filename());
    if (failure) return std::unexpected(errno_error(failure.value(), folder, "cannot list the folder"));
    std::ranges::sort(names);
    return names;
}

Result<void> DiskOfThisNode::make_folder(const std::string& path) {
    if (::mkdir(path.c_str(), 0700) == 0) return sync_folder(folder_of(path));
    if (errno == EEXIST) return {};
    if (errno != ENOENT) return failed(path, "cannot make the folder");
    const std::string above = path.substr(0, path.rfind('/'));
    if (above.empty()) return failed(path, "cannot make the folder");
    if (auto made = make_folder(above); !made) return made;
    if (::mkdir(path.c_str(), 0700) != 0) return failed(path, "cannot make the folder");
    return sync_folder(folder_of(path));
}

// link(2) gives the whole file its name at once, and fails when there is one.
Result<void> DiskOfThisNode::create(const std::string& path, std::string_view content, unsigned mode) {
    Unnamed fresh{beside(path, ".pve-rdma-XXXXXX")};
    const Fd file(::mkostemp(fresh.path.data(), O_CLOEXEC));
    if (!file) {
        const int failure = errno;
        fresh.path.clear();
        return std::unexpected(errno_error(failure, path, "cannot create the file"));
    }
    if (auto written = write_all(file.get(), path, content); !written) return written;
    if (::fchmod(file.get(), mode) != 0) return failed(path, "cannot set the mode");
    if (::fsync(file.get()) != 0) return failed(path, "cannot sync the file");
    if (::link(fresh.path.c_str(), path.c_str()) != 0) return failed(path, "cannot create the file");
    return sync_folder(folder_of(path));
}

Result<void> DiskOfThisNode::reserve(const std::string& path, std::size_t octets) {
    const Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file) return failed(path, "cannot create the file");
    if (::fallocate(file.get(), FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(octets)) != 0 &&
        errno != EOPNOTSUPP)
        return failed(path, "there is no room on the disk");
    if (::fsync(file.get()) != 0) return failed(path, "cannot sync the file");
    return sync_folder(folder_of(path));
}

Result<void> DiskOfThisNode::append(const std::string& path, std::string_view line) {
    const Fd file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW));
    if (!file) return failed(path, "cannot open");
    if (auto written = write_all(file.get(), path, line); !written) return written;
    if (::fdatasync(file.get()) != 0) return failed(path, "cannot sync the file");
    return {};
}

Result<void> DiskOfThisNode::replace(const Replacement& wanted) {
    return replace_file(wanted);
}

Result<void> DiskOfThisNode::remove(const std::string& path) {
    if (::unlink(path.c_str()) != 0) {
        if (errno == ENOENT) return {};
        return failed(path, "cannot remove the file");
    }
    return sync_folder(folder_of(path));
}

// Renamed first: of a folder that is half removed, what is left must not be taken for the whole.
Result<void> DiskOfThisNode::remove_folder(const std::string& path) {
    const std::string gone = beside(path, ".removed");
    std::error_code failure;
    fs::remove_all(gone, failure);
    if (::rename(path.c_str(), gone.c_str()) != 0) {
        if (errno == ENOENT) return {};
        return failed(path, "cannot remove the folder");
    }
    if (auto synced = sync_folder(folder_of(path)); !synced) return synced;
    fs::remove_all(gone, failure);
    if (failure) return std::unexpected(errno_error(failure.value(), gone, "cannot remove the folder"));
    return {};
}

}  // namespace pve_rdma
