#include "guard/name_index.h"

#include "guard/relation.h"

namespace pve_rdma::guard {

NameIndex::NameIndex(const std::vector<Package>& packages) {
    bearers_.reserve(packages.size() * 2);
    dependents_.reserve(packages.size() * 2);
    for (std::size_t place = 0; place < packages.size(); ++place) {
        const Package& package = packages[place];
        if (!package.present()) continue;
        bearers_[package.name].push_back(place);
        auto provides = package.provides;
        while (const auto part = take_part(provides, ','))
            bearers_[parse_relation(*part).name].push_back(place);
        for (std::string_view groups : {package.pre_depends, package.depends})
            while (auto group = take_part(groups, ','))
                while (const auto part = take_part(*group, '|'))
                    dependents_[parse_relation(*part).name].push_back(place);
    }
}

const NameIndex::Places& NameIndex::find(const Map& map, std::string_view name) {
    static const Places none;
    const auto found = map.find(name);
    return found == map.end() ? none : found->second;
}

}  // namespace pve_rdma::guard
