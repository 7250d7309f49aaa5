#include "ofed_reader/prune.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>
#include <utility>

#include "ofed/plan/relations.h"

namespace pve_rdma::ofed {

namespace {

// The value of a field of one line, or of a folded one; empty when it is not there.
std::string_view field_of(std::string_view stanza, std::string_view name) {  // "\nDepends: "
    std::size_t begin = 0;
    if (!stanza.starts_with(name.substr(1))) {
        const void* found = ::memmem(stanza.data(), stanza.size(), name.data(), name.size());
        if (!found) return {};
        begin = static_cast<std::size_t>(static_cast<const char*>(found) - stanza.data()) + 1;
    }
    stanza.remove_prefix(begin + name.size() - 1);
    std::size_t end = stanza.find('\n');
    while (end != std::string_view::npos && end + 1 < stanza.size() && stanza[end + 1] == ' ')
        end = stanza.find('\n', end + 1);
    return stanza.substr(0, end);
}

}  // namespace

void Pruner::add_index(std::string_view text) {
    while (!text.empty()) {
        const auto end = text.find("\n\n");
        const auto stanza = end == std::string_view::npos ? text : text.substr(0, end + 1);
        if (stanza.size() > 1) note(stanza, indices_);
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 2);
    }
    ++indices_;
}

void Pruner::note(std::string_view stanza, std::size_t index) {
    const auto name = field_of(stanza, "\nPackage: ");
    if (name.empty()) return;
    names_.emplace_back(name, stanzas_.size());
    if (const auto provides = field_of(stanza, "\nProvides: "); !provides.empty())
        for (const auto& group : parse_relations(provides))
            names_.emplace_back(group.front().name, stanzas_.size());
    stanzas_.push_back({stanza, index});
}

void Pruner::want_relations(std::string_view field) {
    for (const auto& group : parse_relations(field))
        for (const auto& target : group)
            wanted_.push_back(target.name);
}

void Pruner::take(Stanza& stanza) {
    if (std::exchange(stanza.taken, true)) return;
    wanted_.push_back(field_of(stanza.text, "\nPackage: "));  // its other versions
    for (const std::string_view field : {"\nDepends: ", "\nPre-Depends: ", "\nRecommends: "})
        want_relations(field_of(stanza.text, field));
}

std::vector<std::string> Pruner::prune() {
    std::ranges::sort(names_);
    std::unordered_set<std::string_view> seen;
    while (!wanted_.empty()) {
        const auto name = wanted_.back();
        wanted_.pop_back();
        if (!seen.insert(name).second) continue;
        for (auto at = std::ranges::lower_bound(names_, std::pair<std::string_view, std::size_t>(name, 0));
             at != names_.end() && at->first == name; ++at)
            take(stanzas_[at->second]);
    }
    std::vector<std::string> pruned(indices_);
    for (const auto& stanza : stanzas_)
        if (stanza.taken) pruned[stanza.index].append(stanza.text).append("\n");
    return pruned;
}

}  // namespace pve_rdma::ofed
