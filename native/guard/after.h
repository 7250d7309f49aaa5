// The packages of a node after a change.
//
// Pure. Refers to what it was made from. Threads: any.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "guard/judge.h"
#include "guard/name_index.h"

namespace pve_rdma::guard {

class After {
  public:
    After(const std::vector<Package>& installed, const Change&);

    // An installed package that would no longer be there, or not work, and why.
    bool gone(std::size_t package) const { return reasons_.contains(package); }
    const std::string& reason(std::size_t package) const { return reasons_.at(package); }
    const std::map<std::size_t, std::string>& all_gone() const { return reasons_; }
    // What takes its place; null when nothing does.
    const Incoming* replacement(std::size_t package) const { return replacements_[package]; }

    // Adds the packages whose dependencies were met and no longer are, and so on, until no more fall.
    void follow_dependencies();

    bool stays(std::string_view name) const;  // in whatever version and architecture

  private:
    std::vector<std::string_view> changed_names() const;
    bool met_before(std::string_view group, const NameIndex&) const;
    bool met_after(std::string_view group, const NameIndex&) const;
    std::string broken_group(std::size_t package, const NameIndex&) const;
    std::string why_broken(std::string_view group, const NameIndex&) const;

    const std::vector<Package>& installed_;
    const Change& change_;
    std::vector<const Incoming*> replacements_;
    std::map<std::size_t, std::string> reasons_;
};

// "name" and "name:architecture" both name it.
bool names_package(std::string_view word, const Package&);

}  // namespace pve_rdma::guard
