// The names in a tar archive, read as it streams by: tar(5), of the kinds that dpkg reads (ustar, GNU).
//
// Pure: fed with octets. Threads: one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pve_rdma::guard {

class TarNames {
  public:
    // False once the octets are no such archive, or break the limits below; then nothing more is taken.
    bool feed(std::string_view octets);
    // Whether the end of the archive was seen.
    bool complete() const { return ended_ && !broken_; }
    // Of all that is no folder: "/usr/lib/libx.so.1".
    const std::vector<std::string>& names() const { return names_; }

    static constexpr std::size_t max_names = 1'000'000, max_name = 64u << 10;

  private:
    bool header();
    std::string block_, long_name_;
    std::vector<std::string> names_;
    unsigned long long skip_ = 0, naming_ = 0;  // octets of a member's data, and of a long name
    bool ended_ = false, broken_ = false, has_long_name_ = false;
};

// As dpkg's lists name it: "./lib/x" and "/usr/lib/x" are one file where /lib is a link to /usr/lib.
std::string listed_name(std::string_view name);

}  // namespace pve_rdma::guard
