// Why apt changes a package: the shortest chain of relations from what was asked to it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <apt-pkg/cachefile.h>
#include <apt-pkg/depcache.h>

namespace pve_rdma::ofed {

class Reasons {
  public:
    // Of the plan that the cache holds now.
    Reasons(pkgCacheFile&, const std::vector<pkgCache::PkgIterator>& installs,
            const std::vector<pkgCache::PkgIterator>& removals);
    // Sentences, the first about what was asked. Empty: apt gives no reason that relations tell.
    std::vector<std::string> chain(const pkgCache::PkgIterator&) const;

  private:
    struct Step {
        unsigned long from = 0;  // package id; itself where the chain begins
        std::string words;
    };
    void begin(const pkgCache::PkgIterator&, std::string words);
    void reach(const pkgCache::PkgIterator& from, const pkgCache::PkgIterator& to, std::string words);
    void follow_needs(const pkgCache::PkgIterator&);
    void follow_dependents(const pkgCache::PkgIterator&, pkgCache::DepIterator);
    bool changes(const pkgCache::PkgIterator&) const;

    pkgCacheFile& cache_;
    pkgDepCache& depcache_;
    std::map<unsigned long, Step> steps_;
    std::vector<pkgCache::PkgIterator> queue_;
};

// "depends on", "conflicts with" ...
std::string_view relation_words(const pkgCache::DepIterator&);

}  // namespace pve_rdma::ofed
