// Reads a bundle: a .tgz or .iso of MLNX_OFED, its unpacked folder, one .deb, or a folder with an apt index.
#pragma once

#include <string>

#include "ofed/bundle/contents.h"

namespace pve_rdma::ofed {

struct BundleScope {
    bool files = false;    // the names of all files of all packages
    std::string debian{};  // the node's release: some installers' lists depend on it
};

// A bundle that is broken, or that tries to lead out of itself, is an error that names the place; a package
// of it that cannot be read is listed in `skipped` only where the rest is sound.
Result<Bundle> read_bundle(const std::string& path, const BundleScope&);

}  // namespace pve_rdma::ofed
