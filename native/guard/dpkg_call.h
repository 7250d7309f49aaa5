// A command line of dpkg, read as dpkg reads it (lib/dpkg/options.c: options end at the first other word).
//
// Pure. Threads: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace pve_rdma::guard {

struct DpkgCall {
    bool dry_run = false;            // --dry-run, --no-act, --simulate: nothing will be done
    bool pending = false;            // -a: the packages are those that the status file has marked
    bool folders = false;            // -R: the names are of folders that hold packages
    std::vector<std::string> names;  // packages to remove, or files to install
};

// `action`: "install", "unpack", "remove" or "purge", as dpkg names it to its hooks. An error when the words
// do not ask for it: then they are not those of the dpkg that runs the hook.
Result<DpkgCall> read_dpkg_call(const std::vector<std::string>& words, std::string_view action);

// Whether dpkg's DPKG_FORCE ("depends,overwrite") holds that word.
bool forces(std::string_view dpkg_force, std::string_view word);

}  // namespace pve_rdma::guard
