// Who bears a name, and who asks for it: for following dependencies through a thousand packages.
//
// Pure. Refers to the packages that it was made from. Threads: any.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "guard/database.h"

namespace pve_rdma::guard {

// Places in the list of packages; of those that are present alone.
class NameIndex {
  public:
    explicit NameIndex(const std::vector<Package>&);

    using Places = std::vector<std::size_t>;
    const Places& bearers(std::string_view name) const {
        return find(bearers_, name);
    }  // by name or Provides
    const Places& dependents(std::string_view name) const { return find(dependents_, name); }

  private:
    using Map = std::unordered_map<std::string_view, Places>;
    static const Places& find(const Map&, std::string_view name);
    Map bearers_, dependents_;
};

}  // namespace pve_rdma::guard
