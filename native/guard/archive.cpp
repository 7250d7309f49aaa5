#include "guard/archive.h"

#include <algorithm>
#include <cerrno>
#include <functional>

#include <sys/wait.h>

#include <fcntl.h>
#include <fts.h>
#include <unistd.h>

#include "guard/stanza.h"
#include "guard/tar_names.h"

namespace pve_rdma::guard {

namespace {

constexpr const char* dpkg_deb = "/usr/bin/dpkg-deb";
constexpr std::size_t max_control = 4u << 20;

// Runs dpkg-deb and hands on what it prints; its complaints go where ours go.
Result<void> run_dpkg_deb(std::vector<const char*> words, const std::string& archive,
                          const std::function<bool(std::string_view)>& take) {
    words.insert(words.begin(), dpkg_deb);
    words.push_back(nullptr);
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return std::unexpected(errno_error(errno, archive, "cannot make a pipe"));
    const pid_t child = ::vfork();
    if (child == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        ::execv(dpkg_deb, const_cast<char* const*>(words.data()));
        ::_exit(127);
    }
    ::close(ends[1]);
    bool taken = child > 0;
    char buffer[64 * 1024];
    while (taken) {
        const ssize_t got = ::read(ends[0], buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        taken = take({buffer, static_cast<std::size_t>(got)});
    }
    ::close(ends[0]);
    int status = 0;
    while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (taken && status == 0) return {};
    return std::unexpected(Error{
        .code = ErrorCode::malformed, .subject = archive, .message = "dpkg-deb cannot read this package"});
}

}  // namespace

Result<Incoming> read_archive(const std::string& path) {
    std::string text;
    const auto ran = run_dpkg_deb({"--field", "--", path.c_str(), "Package", "Version", "Architecture",
                                   "Provides", "Conflicts", "Breaks", "Replaces"},
                                  path, [&](std::string_view octets) {
                                      text += octets;
                                      return text.size() <= max_control;
                                  });
    if (!ran) return std::unexpected(ran.error());
    Incoming coming{.file = path};
    std::string_view rest = text;
    while (const auto field = take_field(rest)) {
        const auto put = [&](std::string_view name, std::string& place) {
            if (same_name(field->name, name)) place = trimmed(field->value);
        };
        put("Package", coming.name);
        put("Version", coming.version);
        put("Architecture", coming.architecture);
        put("Provides", coming.provides);
        put("Conflicts", coming.conflicts);
        put("Breaks", coming.breaks);
        put("Replaces", coming.replaces);
    }
    if (coming.name.empty())
        return std::unexpected(
            Error{.code = ErrorCode::malformed, .subject = path, .message = "this package has no name"});
    return coming;
}

Result<std::vector<std::string>> archive_files(const std::string& path) {
    TarNames tar;
    const auto ran = run_dpkg_deb({"--fsys-tarfile", "--", path.c_str()}, path,
                                  [&](std::string_view octets) { return tar.feed(octets); });
    if (!ran) return std::unexpected(ran.error());
    if (!tar.complete())
        return std::unexpected(Error{
            .code = ErrorCode::malformed, .subject = path, .message = "the list of its files has no end"});
    auto names = tar.names();
    std::ranges::sort(names);
    return names;
}

Result<std::vector<std::string>> archives_below(const std::string& folder) {
    std::string root = folder;
    char* roots[] = {root.data(), nullptr};
    std::vector<std::string> found;
    FTS* walk = ::fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, nullptr);
    if (!walk) return std::unexpected(errno_error(errno, folder, "cannot walk the folder"));
    while (const FTSENT* entry = ::fts_read(walk))
        if (entry->fts_info == FTS_F && std::string_view(entry->fts_name).ends_with(".deb"))
            found.emplace_back(entry->fts_path);
    ::fts_close(walk);
    return found;
}

}  // namespace pve_rdma::guard
