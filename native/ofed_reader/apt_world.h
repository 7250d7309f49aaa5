// A node's packages as libapt-pkg sees them, in a private root: the node's status file, sources, pins and
// lists are read, nothing of them is written, no lock is taken. libapt-pkg keeps global state: one world per
// process.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "ofed/plan/question.h"

class pkgCacheFile;

namespace pve_rdma::ofed {

// What of the node's lists is loaded: the packages that a plan can touch (prune.h), or all.
enum class Lists { reached, whole };

class AptWorld {
  public:
    // Works below `scratch`, an empty folder of its own. The bundles' packages are one more source for the
    // whole world when one question wants them; with_bundle tells the questions apart by their names only.
    static Result<AptWorld> open(const ReaderQuestion&, const std::vector<Bundle>&,
                                 const std::string& scratch, Lists);
    AptWorld(AptWorld&&) noexcept;
    AptWorld& operator=(AptWorld&&) noexcept;
    ~AptWorld();

    AptPlan plan(const AptQuestion&);
    // apt's problem resolver had to weigh packages for one of the plans. What it prefers among equals follows
    // from their places in the order of all packages: then only the whole lists give the answer of apt-get.
    bool weighed() const { return weighed_; }
    std::uint64_t index_packages() const { return index_packages_; }

  private:
    AptWorld();
    std::unique_ptr<pkgCacheFile> cache_;
    std::uint64_t index_packages_ = 0;
    bool weighed_ = false;
};

// The version of libapt-pkg that is loaded: "6.0".
std::string apt_library_version();

}  // namespace pve_rdma::ofed
