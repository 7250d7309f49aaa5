// Versions of Debian packages in their order: deb-version(7), [epoch:]upstream[-revision].
//
// Pure. Any text has a place in the order, also one that dpkg would refuse. Threads: any.
#pragma once

#include <compare>
#include <string_view>

namespace pve_rdma::guard {

std::strong_ordering compare_versions(std::string_view left, std::string_view right);

}  // namespace pve_rdma::guard
