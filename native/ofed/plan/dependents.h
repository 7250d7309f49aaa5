// Who needs a package: what dpkg would name when it is asked to remove it, and what goes with a set of
// packages. Source: src/main/remove.c and src/main/depcon.c of dpkg 1.21: Pre-Depends and Depends count;
// alternatives and Provides fulfil a dependency; dependents are visited from the end of the status file.
//
// Pure. Cost: linear in the dependencies that are looked at.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ofed/plan/installed.h"

namespace pve_rdma::ofed {

// Packages (by their index) that are taken as gone.
class Removed {
  public:
    explicit Removed(const Installed& installed) : gone_(installed.size(), false) {}
    bool holds(std::size_t index) const { return gone_[index]; }
    bool add(std::size_t index) {  // false: it was gone already
        if (gone_[index]) return false;
        gone_[index] = true;
        return true;
    }
    std::vector<std::size_t> list() const;

  private:
    std::vector<bool> gone_;
};

// A dependency of the package that nothing fulfils when `removed` are gone; nullptr: there is none.
const Group* broken_need(const Installed&, const InstalledPackage&, const Removed&);

// What `dpkg --purge --dry-run` names, in its order.
std::vector<std::size_t> direct_dependents(const Installed&, std::size_t package);

// `removed` and everything that cannot stay without them: what apt removes when it has nothing to put in
// their place.
void close_over_dependents(const Installed&, Removed& removed);

}  // namespace pve_rdma::ofed
