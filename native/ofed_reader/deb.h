// One Debian package (deb(5)), read from a stream: its control stanza, and of its files what a check needs.
#pragma once

#include "ofed/bundle/contents.h"
#include "ofed_reader/archive.h"

namespace pve_rdma::ofed {

struct DebScope {
    bool files = false;  // the names of all its files; otherwise data is looked at only where modules may be
};

// `deb` stands before its first member; `path` is the package's path in the bundle.
Result<BundlePackage> read_deb(Archive& deb, const std::string& path, const DebScope&);

}  // namespace pve_rdma::ofed
