// Reading and writing of small files by a program that may not have much to rely on.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace pve_rdma::guard {

// ErrorCode::malformed for a file that is larger than `limit` octets.
Result<std::string> read_text(const std::string& path, std::size_t limit);

// A file's text as the kernel has it in its cache: nothing is copied. dpkg never writes into its status file,
// it puts a new one in its place. (Who cuts the file off meanwhile ends this program, and dpkg does nothing
// then.)
class MappedText {
  public:
    static Result<MappedText> open(const std::string& path, std::size_t limit);
    MappedText() = default;
    MappedText(MappedText&& other) noexcept : text_(std::exchange(other.text_, {})) {}
    MappedText& operator=(MappedText&& other) noexcept {
        std::swap(text_, other.text_);
        return *this;
    }
    ~MappedText();

    std::string_view text() const { return text_; }

  private:
    explicit MappedText(std::string_view text) : text_(text) {}
    std::string_view text_;
};

// All that comes until the other end is closed.
Result<std::string> read_text(int fd, const std::string& name, std::size_t limit);

// Text files of a folder whose names do not begin with a dot, in the order of their names. A folder
// that is not there holds none.
Result<std::vector<std::string>> read_folder(const std::string& path, std::size_t limit);

// The path for a file below `folder`, which is made when it is not there.
Result<std::string> place_in(const std::string& folder, std::string_view name);

// The new content or the old one, never a part of it; not synced, since /run does not outlive a power cut.
Result<void> put_text(const std::string& path, std::string_view content);

}  // namespace pve_rdma::guard
