// Why a package goes: the shortest chain of dependencies from what is removed on purpose. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ofed/plan/installed.h"

namespace pve_rdma::ofed {

class Chains {
  public:
    // `roots` go on purpose, for the reason that is given with them; `removed` is all that goes.
    Chains(const Installed&, const std::vector<std::size_t>& roots, const std::vector<std::size_t>& removed,
           const std::string& reason);
    // Sentences from the root to the package; empty when it does not go.
    std::vector<std::string> chain(std::size_t package) const;

  private:
    struct Step {
        std::size_t from;
        std::string words;
    };
    const Installed& installed_;
    std::map<std::size_t, Step> steps_;
};

}  // namespace pve_rdma::ofed
