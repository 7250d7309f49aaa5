#include "apply/unmet.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "apply/standing.h"
#include "network/object.h"

namespace pve_rdma {

namespace {

// Entries of a network by the object they are; sorted in when one is asked for. IPv4 keeps several routes of
// one key.
template <class Entry>
class ByObject {
  public:
    explicit ByObject(const std::vector<Entry>& entries) : entries_(entries) {}

    bool meets(const Change<Entry>& change, const std::string& object) {
        return change.after ? holds(object, kept(*change.after)) : !holds(object, kept(*change.before));
    }

  private:
    bool holds(const std::string& object, const Entry& entry) {
        if (by_object_.empty()) {
            by_object_.reserve(entries_.size());
            for (const auto& each : entries_)
                by_object_.emplace(object_of(each), &each);
        }
        const auto [first, last] = by_object_.equal_range(object);
        return std::any_of(first, last, [&](const auto& found) { return *found.second == entry; });
    }

    const std::vector<Entry>& entries_;
    std::unordered_multimap<std::string, const Entry*> by_object_;
};

class Shown {
  public:
    explicit Shown(const Network& network)
        : network_(network), addresses_(network.addresses), routes_(network.routes), rules_(network.rules) {}

    bool meets(const Step& step, const std::string& object) {
        if (step.address) return addresses_.meets(*step.address, object);
        if (step.route) return routes_.meets(*step.route, object);
        if (step.rule) return rules_.meets(*step.rule, object);
        return standing(network_, step) == Standing::after;
    }

  private:
    const Network& network_;
    ByObject<AddressEntry> addresses_;
    ByObject<RouteEntry> routes_;
    ByObject<RuleEntry> rules_;
};

// Settings and sysctls of a link go with it.
bool is_of(const Step& step, const std::set<std::string>& links) {
    if (step.setting) return links.contains(step.setting->either().link);
    return step.sysctl && std::ranges::any_of(links, [&](const auto& link) {
               return step.sysctl->either().name.contains("." + link + ".");
           });
}

}  // namespace

std::vector<std::size_t> unmet(const Network& network, std::span<const Step> steps) {
    Shown shown(network);
    std::unordered_set<std::string> seen;
    std::set<std::string> deleted;
    std::vector<std::size_t> places;
    for (std::size_t i = steps.size(); i-- > 0;) {
        const auto [object, last] = seen.insert(object_of(steps[i]));
        if (!last || is_of(steps[i], deleted)) continue;
        if (steps[i].link && !steps[i].link->after) deleted.insert(steps[i].link->before->name);
        if (!shown.meets(steps[i], *object)) places.push_back(i);
    }
    std::ranges::reverse(places);
    return places;
}

}  // namespace pve_rdma
