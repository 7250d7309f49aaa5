// Versions of Debian packages: epoch:upstream-revision, compared as dpkg does (deb-version(7)). Pure.
#pragma once

#include <compare>
#include <string_view>

namespace pve_rdma::ofed {

// A text that is no version is compared all the same, as dpkg compares what it has once read.
std::strong_ordering compare_versions(std::string_view a, std::string_view b);

}  // namespace pve_rdma::ofed
