#include "ofed_reader/archive.h"

#include <utility>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

namespace pve_rdma::ofed {

namespace {

constexpr std::size_t block = 64u << 10;
constexpr std::size_t max_depth = 64, max_name = 4096;

archive* make_reader(ArchiveFormats formats) {
    archive* handle = archive_read_new();
    if (!handle) return nullptr;
    if (formats == ArchiveFormats::deb) {
        archive_read_support_format_ar(handle);
        return handle;
    }
    archive_read_support_filter_gzip(handle);
    archive_read_support_filter_xz(handle);
    archive_read_support_filter_lzma(handle);
    archive_read_support_filter_bzip2(handle);
    archive_read_support_filter_zstd(handle);
    archive_read_support_format_tar(handle);
    if (formats == ArchiveFormats::outer) archive_read_support_format_iso9660(handle);
    return handle;
}

std::string_view words_of(ArchiveFormats formats) {
    if (formats == ArchiveFormats::deb) return "a Debian package";
    return formats == ArchiveFormats::tar ? "a tar archive" : "a tar archive or an ISO image";
}

}  // namespace

// Hands the current member of the outer archive on, block by block.
struct Archive::Source {
    archive* outer;
    Budget* budget;

    static la_ssize_t read(archive* handle, void* self, const void** buffer) {
        auto& source = *static_cast<Source*>(self);
        std::size_t size = 0;
        la_int64_t offset = 0;
        const int state = archive_read_data_block(source.outer, buffer, &size, &offset);
        if (state == ARCHIVE_EOF) return 0;
        if (state < ARCHIVE_WARN) {
            archive_set_error(handle, archive_errno(source.outer), "%s", archive_error_string(source.outer));
            return -1;
        }
        if (size > source.budget->octets) {
            archive_set_error(handle, EFBIG, "unpacks to more than is allowed");
            return -1;
        }
        source.budget->octets -= size;
        return static_cast<la_ssize_t>(size);
    }
};

Archive::Archive(Archive&& other) noexcept {
    *this = std::move(other);
}

Archive& Archive::operator=(Archive&& other) noexcept {
    std::swap(source_, other.source_);
    std::swap(handle_, other.handle_);
    std::swap(entry_, other.entry_);
    std::swap(budget_, other.budget_);
    std::swap(place_, other.place_);
    std::swap(member_, other.member_);
    std::swap(is_file_, other.is_file_);
    return *this;
}

Archive::~Archive() {
    if (handle_) archive_read_free(handle_);
}

Error Archive::broken(std::string message) const {
    return {.code = ErrorCode::malformed, .subject = here(), .message = std::move(message)};
}

std::string Archive::here() const {
    return member_.empty() ? place_ : place_ + ": " + member_;
}

Result<Archive> Archive::open(const std::string& path, ArchiveFormats formats, Budget& budget) {
    Archive made;
    made.place_ = path;
    made.budget_ = &budget;
    made.handle_ = make_reader(formats);
    if (!made.handle_) return std::unexpected(made.broken("no memory"));
    if (archive_read_open_filename(made.handle_, path.c_str(), block) == ARCHIVE_OK) return made;
    if (const int failure = archive_errno(made.handle_); failure > 0 && failure < 1000)
        return std::unexpected(errno_error(failure, path, "cannot open"));
    return std::unexpected(made.broken(fmt::format("is not {}", words_of(formats))));
}

Result<Archive> Archive::nested(Archive& outer, ArchiveFormats formats, std::string place) {
    Archive made;
    made.place_ = std::move(place);
    made.budget_ = outer.budget_;
    made.source_ = std::make_unique<Source>(outer.handle_, outer.budget_);
    made.handle_ = make_reader(formats);
    if (!made.handle_) return std::unexpected(made.broken("no memory"));
    if (archive_read_open(made.handle_, made.source_.get(), nullptr, Source::read, nullptr) == ARCHIVE_OK)
        return made;
    const char* why = archive_error_string(made.handle_);
    return std::unexpected(
        made.broken(fmt::format("is not {} ({})", words_of(formats), why ? why : "nothing is known of it")));
}

Result<void> Archive::check_name(const std::string& name) const {
    if (name.size() > max_name) return std::unexpected(broken("a member's name is too long"));
    if (name.starts_with('/')) return std::unexpected(broken("a member with an absolute path"));
    std::size_t depth = 0;
    for (std::size_t at = 0; at <= name.size(); ++depth) {
        const auto end = std::min(name.find('/', at), name.size());
        if (name.compare(at, end - at, "..") == 0)
            return std::unexpected(broken("a member whose path leads out of the archive"));
        at = end + 1;
    }
    if (depth > max_depth) return std::unexpected(broken("a member that lies too deep"));
    return {};
}

Result<bool> Archive::next() {
    const int state = archive_read_next_header(handle_, &entry_);
    if (state == ARCHIVE_EOF) {
        member_.clear();
        return false;
    }
    if (state < ARCHIVE_WARN) {
        const char* why = archive_error_string(handle_);
        auto error =
            broken(fmt::format("broken or cut off behind this place ({})", why ? why : "no reason given"));
        return std::unexpected(error);
    }
    if (budget_->members-- == 0) {
        budget_->members = 0;
        return std::unexpected(broken("more members than are allowed"));
    }
    const char* name = archive_entry_pathname(entry_);
    member_ = name ? name : "";
    is_file_ = archive_entry_filetype(entry_) == AE_IFREG && !archive_entry_hardlink(entry_);
    if (auto fine = check_name(member_); !fine) return std::unexpected(fine.error());
    while (member_.starts_with("./"))
        member_.erase(0, 2);
    return true;
}

bool Archive::is_iso() const {
    const int format = archive_format(handle_) & ARCHIVE_FORMAT_BASE_MASK;
    return format == ARCHIVE_FORMAT_ISO9660;
}

Result<std::string> Archive::content(std::size_t limit) {
    std::string text;
    char buffer[block];
    while (true) {
        const auto got = archive_read_data(handle_, buffer, sizeof buffer);
        if (got == 0) return text;
        if (got < 0) {
            const char* why = archive_error_string(handle_);
            return std::unexpected(
                broken(fmt::format("broken or cut off ({})", why ? why : "no reason given")));
        }
        const auto size = static_cast<std::size_t>(got);
        if (size > budget_->octets)
            return std::unexpected(broken("the bundle unpacks to more than is allowed"));
        budget_->octets -= size;
        if (text.size() + size > limit)
            return std::unexpected(broken(fmt::format("larger than the limit of {} octets", limit)));
        text.append(buffer, size);
    }
}

}  // namespace pve_rdma::ofed
