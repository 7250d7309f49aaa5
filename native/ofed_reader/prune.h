// Of an apt index of tens of thousands of packages, the part that a plan can touch: what is installed or
// asked for, what that depends on or recommends, and who provides it. libapt-pkg then loads a few thousand
// packages, not all.
//
// apt decides the same on it while nothing has to give way: packages that nothing installed, asked for or
// needed leads to are never candidates. Where its resolver has to choose, the whole lists are loaded
// (AptWorld::weighed). tests/suites/ofed-plans holds that against apt-get.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace pve_rdma::ofed {

class Pruner {
  public:
    // Texts of indices (deb822); they must live as long as the pruner.
    void add_index(std::string_view text);
    // Names to begin with, and relation fields whose names are to begin with.
    void want(std::string_view name) { wanted_.emplace_back(name); }
    void want_relations(std::string_view field);

    // For each index in the order added: the stanzas that are reached.
    std::vector<std::string> prune();

  private:
    struct Stanza {
        std::string_view text;
        std::size_t index;
        bool taken = false;
    };
    void note(std::string_view stanza, std::size_t index);
    void take(Stanza&);

    std::size_t indices_ = 0;
    std::vector<Stanza> stanzas_;
    // Sorted once all indices are there: name -> stanza that has or provides it.
    std::vector<std::pair<std::string_view, std::size_t>> names_;
    std::vector<std::string_view> wanted_;
};

}  // namespace pve_rdma::ofed
