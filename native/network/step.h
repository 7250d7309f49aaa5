// One step of a plan: one object goes from one value to another. That is all a step is, so its precondition
// (the object has the old value), its inverse (the same, backwards), its text and what makes it done already
// (the object has the new value) need no second statement.
#pragma once

#include <string>
#include <vector>

#include "facts/boxed.h"
#include "network/entries.h"

namespace pve_rdma {

// No `before`: it is made. No `after`: it goes. A setting without `before` is one of a link that the same
// plan makes; without `after` it is noted before the link goes, so that the way back can give it again.
template <class T>
struct Change {
    std::optional<T> before{}, after{};

    const T& either() const { return after ? *after : *before; }
    Change inverse() const { return {after, before}; }

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("before", self.before);
        visit("after", self.after);
    }
    bool operator==(const Change&) const = default;
};

// Exactly one member is there.
struct Step {
    Boxed<Change<LinkEntry>> link{};
    Boxed<Change<SettingEntry>> setting{};
    Boxed<Change<AddressEntry>> address{};
    Boxed<Change<RouteEntry>> route{};
    Boxed<Change<RuleEntry>> rule{};
    Boxed<Change<SysctlEntry>> sysctl{};

    Step inverse() const;
    // "route.add": the object and add, change or delete.
    std::string action() const;
    std::string text() const;
    // What may happen to traffic besides what is asked for; "none" when nothing should.
    std::string risk() const;

    // Calls `each` with the one Change that is there.
    template <class Self, class Each>
    static auto with(Self& self, Each&& each) {
        if (self.link) return each(*self.link);
        if (self.setting) return each(*self.setting);
        if (self.address) return each(*self.address);
        if (self.route) return each(*self.route);
        if (self.rule) return each(*self.rule);
        return each(*self.sysctl);
    }

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("link", self.link);
        visit("setting", self.setting);
        visit("address", self.address);
        visit("route", self.route);
        visit("rule", self.rule);
        visit("sysctl", self.sysctl);
    }
    bool operator==(const Step&) const = default;
};

Step step(Change<LinkEntry>);
Step step(Change<SettingEntry>);
Step step(Change<AddressEntry>);
Step step(Change<RouteEntry>);
Step step(Change<RuleEntry>);
Step step(Change<SysctlEntry>);

// Backwards and inverted.
std::vector<Step> inverse(const std::vector<Step>&);

}  // namespace pve_rdma
