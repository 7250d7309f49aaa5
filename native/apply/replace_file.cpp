#include "apply/replace_file.h"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include <sys/stat.h>
#include <sys/xattr.h>

#include <fcntl.h>
#include <unistd.h>

#include "apply/open_file.h"

namespace pve_rdma {

namespace {

// The new file, until it has its place.
struct Temporary {
    std::string path;
    bool placed = false;
    ~Temporary() {
        if (!placed && !path.empty()) ::unlink(path.c_str());
    }
};

// POSIX ACLs are extended attributes too (system.posix_acl_access).
Result<void> copy_attributes(int from, int to, const std::string& path) {
    const ssize_t size = ::flistxattr(from, nullptr, 0);
    if (size < 0) {
        if (errno == ENOTSUP) return {};
        return failed(path, "cannot list the extended attributes");
    }
    std::string names(static_cast<std::size_t>(size), '\0');
    const ssize_t listed = ::flistxattr(from, names.data(), names.size());
    if (listed < 0) return failed(path, "cannot list the extended attributes");
    names.resize(static_cast<std::size_t>(listed));
    for (std::size_t at = 0; at < names.size(); at = names.find('\0', at) + 1) {
        const char* name = names.c_str() + at;
        const ssize_t length = ::fgetxattr(from, name, nullptr, 0);
        if (length < 0) return failed(path, "cannot read an extended attribute");
        std::vector<char> value(static_cast<std::size_t>(length) + 1);
        const ssize_t got = ::fgetxattr(from, name, value.data(), value.size());
        if (got < 0) return failed(path, "cannot read an extended attribute");
        if (::fsetxattr(to, name, value.data(), static_cast<std::size_t>(got), 0) != 0)
            return failed(path, "cannot keep an extended attribute or ACL");
    }
    return {};
}

Result<void> copy_owner_and_mode(int from, int to, const std::string& path) {
    struct stat status{}, own{};
    if (::fstat(from, &status) != 0 || ::fstat(to, &own) != 0) return failed(path, "cannot look at the file");
    if ((own.st_uid != status.st_uid || own.st_gid != status.st_gid) &&
        ::fchown(to, status.st_uid, status.st_gid) != 0)
        return failed(path, "cannot keep the owner");
    if (::fchmod(to, status.st_mode & 07777) != 0) return failed(path, "cannot keep the mode");
    return {};
}

// Like the old file, or like any new one.
Result<void> copy_from(const Fd* old, int fresh, const std::string& path) {
    if (!old) return ::fchmod(fresh, 0644) == 0 ? Result<void>{} : failed(path, "cannot set the mode");
    if (auto done = copy_owner_and_mode(old->get(), fresh, path); !done) return done;
    return copy_attributes(old->get(), fresh, path);
}

Result<void> put_in_place(const std::string& fresh, const std::string& path, bool is_new) {
    if (::renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, path.c_str(), is_new ? RENAME_NOREPLACE : 0) == 0)
        return {};
    Error error = errno_error(errno, path, "cannot put the new file in its place");
    if (errno == EPERM) error.hint = "lsattr shows whether the file is immutable (chattr +i)";
    if (errno == EEXIST) error.code = ErrorCode::conflict;
    return std::unexpected(error);
}

Result<void> write_and_replace(const Replacement& wanted, const std::string& path, const Fd* old) {
    const std::string folder = folder_of(path);
    Temporary temporary{folder + "." + path.substr(folder.size()) + ".pve-rdma-XXXXXX"};
    const Fd fresh(::mkostemp(temporary.path.data(), O_CLOEXEC));
    if (!fresh) {
        auto error = errno_error(errno, folder, "cannot create the new file");
        temporary.path.clear();
        return std::unexpected(error);
    }
    if (auto done = write_all(fresh.get(), path, wanted.content); !done) return done;
    if (auto done = copy_from(old, fresh.get(), path); !done) return done;
    if (::fsync(fresh.get()) != 0) return failed(path, "cannot sync the new file");
    if (wanted.validate)
        if (auto valid = wanted.validate(temporary.path); !valid) return valid;
    if (auto done = put_in_place(temporary.path, path, !old); !done) return done;
    temporary.placed = true;
    return sync_folder(folder);
}

}  // namespace

Result<void> replace_file(const Replacement& wanted) {
    if (!wanted.expected) return write_and_replace(wanted, wanted.path, nullptr);
    const std::unique_ptr<char, decltype(&std::free)> real(::realpath(wanted.path.c_str(), nullptr),
                                                           &std::free);
    if (!real) return failed(wanted.path, "cannot find the file");
    const std::string path = real.get();

    const Fd old(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!old) return failed(path, "cannot open");
    struct stat status{};
    if (::fstat(old.get(), &status) != 0) return failed(path, "cannot look at the file");
    if (!S_ISREG(status.st_mode))
        return std::unexpected(
            Error{.code = ErrorCode::bad_request, .subject = path, .message = "is no regular file"});
    const auto present = read_all(old.get(), path, SIZE_MAX);
    if (!present) return std::unexpected(present.error());
    if (*present != *wanted.expected)
        return std::unexpected(Error{.code = ErrorCode::conflict,
                                     .subject = path,
                                     .message = "was changed by somebody else meanwhile",
                                     .hint = "read it again, and repeat the change"});
    return write_and_replace(wanted, path, &old);
}

}  // namespace pve_rdma
