#include "network/object.h"

#include <unordered_set>

#include <fmt/format.h>

namespace pve_rdma {

std::string object_of(const LinkEntry& link) {
    return "link " + link.name;
}
std::string object_of(const SettingEntry& setting) {
    return fmt::format("setting {} {}", setting.link, setting.key);
}
std::string object_of(const AddressEntry& address) {
    return "address " + place_key(address);
}
std::string object_of(const RouteEntry& route) {
    return "route " + place_key(route);
}
std::string object_of(const RuleEntry& rule) {
    return "rule " + place_key(rule);
}
std::string object_of(const SysctlEntry& sysctl) {
    return "sysctl " + sysctl.name;
}

std::string object_of(const Step& step) {
    return Step::with(step, [](const auto& change) { return object_of(change.either()); });
}

std::vector<std::span<const Step>> pieces_of(std::span<const Step> steps, std::size_t longest) {
    std::vector<std::span<const Step>> pieces;
    std::unordered_set<std::string> seen;
    std::size_t first = 0;
    bool was_alone = false;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const bool alone = steps[i].link || steps[i].setting;
        if (i > first && (alone || was_alone || i - first == longest || seen.contains(object_of(steps[i])))) {
            pieces.push_back(steps.subspan(first, i - first));
            seen.clear();
            first = i;
        }
        seen.insert(object_of(steps[i]));
        was_alone = alone;
    }
    if (first < steps.size()) pieces.push_back(steps.subspan(first));
    return pieces;
}

}  // namespace pve_rdma
