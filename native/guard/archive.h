// Packages in files, read by dpkg-deb, which dpkg itself uses to read them.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "guard/judge.h"

namespace pve_rdma::guard {

Result<Incoming> read_archive(const std::string& path);

// The names of its files, sorted, as listed_name gives them.
Result<std::vector<std::string>> archive_files(const std::string& path);

// The packages below a folder, links followed, as `dpkg --recursive` finds them.
Result<std::vector<std::string>> archives_below(const std::string& folder);

}  // namespace pve_rdma::guard
