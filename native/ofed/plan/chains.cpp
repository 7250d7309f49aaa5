#include "ofed/plan/chains.h"

#include <algorithm>

#include <fmt/format.h>

#include "ofed/plan/dependents.h"

namespace pve_rdma::ofed {

Chains::Chains(const Installed& installed, const std::vector<std::size_t>& roots,
               const std::vector<std::size_t>& removed, const std::string& reason)
    : installed_(installed) {
    std::vector<bool> goes(installed.size(), false);
    for (const auto index : removed)
        goes[index] = true;
    std::vector<std::size_t> queue;
    for (const auto root : roots)
        if (steps_.try_emplace(root, Step{root, fmt::format("{} {}", installed.at(root).name, reason)})
                .second)
            queue.push_back(root);
    const auto follow = [&](std::size_t from, std::string_view name) {
        for (const auto index : installed.dependers(name)) {
            if (!goes[index] || steps_.contains(index)) continue;
            steps_[index] = {from, fmt::format("{} depends on {}", installed.at(index).name, name)};
            queue.push_back(index);
        }
    };
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const auto& package = installed.at(queue[i]);
        follow(queue[i], package.name);
        for (const auto& provided : package.provides)
            follow(queue[i], provided.name);
    }
}

std::vector<std::string> Chains::chain(std::size_t package) const {
    std::vector<std::string> words;
    for (auto at = steps_.find(package); at != steps_.end(); at = steps_.find(at->second.from)) {
        words.push_back(at->second.words);
        if (at->second.from == at->first) break;
    }
    std::ranges::reverse(words);
    return words;
}

}  // namespace pve_rdma::ofed
