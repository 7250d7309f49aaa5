// Counts what nodes have in common, and names those that differ from most.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "doctor/node.h"

namespace pve_rdma::doctor {

template <class Value>
class Census {
  public:
    struct Entry {
        std::string key;
        Value value;
        const Node* node;
        std::string path;     // of the fact
        std::string subject;  // of a finding about it
    };

    // `key` says what is compared with what.
    void add(std::string key, Value value, const Node& node, std::string path, std::string subject) {
        groups_[key].push_back({key, std::move(value), &node, std::move(path), std::move(subject)});
    }

    // use(entry, one that has the most frequent value, how many have that). Of equally frequent values the
    // larger counts as common.
    template <class Use>
    void each_odd(Use&& use) const {
        for (const auto& [key, entries] : groups_) {
            std::map<Value, std::size_t> counts;
            for (const auto& entry : entries)
                ++counts[entry.value];
            if (counts.size() < 2) continue;
            auto common = counts.begin();
            for (auto i = counts.begin(); i != counts.end(); ++i)
                if (i->second >= common->second) common = i;
            const Entry* example = nullptr;
            for (const auto& entry : entries)
                if (!example && entry.value == common->first) example = &entry;
            for (const auto& entry : entries)
                if (entry.value != common->first) use(entry, *example, common->second);
        }
    }

  private:
    std::map<std::string, std::vector<Entry>> groups_;
};

}  // namespace pve_rdma::doctor
