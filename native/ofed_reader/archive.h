// Archives, streamed with libarchive: nothing is unpacked, nothing is written. Only the formats that a bundle
// can have are read; no filter that would start a program is. Errors name the archive and the member.
//
// An archive inside another one (a .deb in a .tgz, control.tar.xz in the .deb) is read from the outer one's
// stream. Threads: one archive belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/error.h"

struct archive;
struct archive_entry;

namespace pve_rdma::ofed {

// What a stream may cost before it is refused. Shared by an archive and all that is nested in it.
struct Budget {
    std::uint64_t octets = 16ull << 30;  // unpacked, all levels together
    std::uint64_t members = 400'000;
};

enum class ArchiveFormats { outer, deb, tar };  // tar or iso; ar; tar alone

class Archive {
  public:
    // `place` names it in errors. Files are opened here; a nested archive is the outer one's current member.
    static Result<Archive> open(const std::string& path, ArchiveFormats, Budget&);
    static Result<Archive> nested(Archive& outer, ArchiveFormats, std::string place);
    Archive(Archive&&) noexcept;
    Archive& operator=(Archive&&) noexcept;
    ~Archive();

    // To the next member; false at the end. Refuses names that are absolute or have a ".." in them.
    Result<bool> next();
    const std::string& member() const { return member_; }  // without "./" before it
    bool is_file() const { return is_file_; }
    bool is_iso() const;

    // The current member's content; more than `limit` octets is an error.
    Result<std::string> content(std::size_t limit);

    const std::string& place() const { return place_; }
    // place, and the current member.
    std::string here() const;
    Error broken(std::string message) const;

  private:
    struct Source;
    Archive() = default;
    Result<void> check_name(const std::string& name) const;

    std::unique_ptr<Source> source_;
    archive* handle_ = nullptr;
    archive_entry* entry_ = nullptr;
    Budget* budget_ = nullptr;
    std::string place_, member_;
    bool is_file_ = false;
};

}  // namespace pve_rdma::ofed
