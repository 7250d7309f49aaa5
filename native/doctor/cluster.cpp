#include "doctor/cluster.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

namespace pve_rdma::doctor {

namespace {

// What tells one machine's report from another's of the same name.
std::vector<std::string> marks(const NodeReport& report) {
    std::vector<std::string> found;
    for (const auto& device : report.devices)
        if (device.node_guid && !device.node_guid->is_zero()) found.push_back(device.node_guid->text());
    for (const auto& link : report.links) {
        if (!link.parentdev || !link.address || link.address->length != 6) continue;
        found.push_back((link.permaddr ? *link.permaddr : *link.address).text());
    }
    return found;
}

// Reports by machine, each list with the newest last.
std::vector<std::vector<const Input*>> by_machine(std::span<const Input> inputs) {
    std::vector<std::vector<const Input*>> machines;
    std::unordered_map<std::string, std::size_t> known;  // host name and mark -> machine
    for (const auto& input : inputs) {
        const auto& host = input.report.system.hostname;
        std::vector<std::string> keys;
        if (host)
            for (const auto& mark : marks(input.report))
                keys.push_back(*host + "\n" + mark);
        if (host && keys.empty()) keys.push_back(*host);
        std::optional<std::size_t> machine;
        for (const auto& key : keys)
            if (const auto found = known.find(key); found != known.end() && !machine) machine = found->second;
        if (!machine) {
            machine = machines.size();
            machines.emplace_back();
        }
        for (auto& key : keys)
            known.emplace(std::move(key), *machine);
        machines[*machine].push_back(&input);
    }
    for (auto& reports : machines)
        std::ranges::stable_sort(reports, {}, [](const Input* input) { return input->report.taken; });
    return machines;
}

}  // namespace

Cluster::Cluster(std::span<const Input> inputs) {
    std::unordered_set<std::string> names;
    for (const auto& reports : by_machine(inputs)) {
        const Input& newest = *reports.back();
        std::string name = newest.report.system.hostname.value_or(newest.label);
        if (!names.insert(name).second) name = fmt::format("{} ({})", name, newest.label);
        nodes_.emplace_back(newest.report, name);
        if (reports.size() > 1)
            nodes_.back().earlier = &older_.emplace_back((*(reports.rbegin() + 1))->report, name);
    }
}

}  // namespace pve_rdma::doctor
