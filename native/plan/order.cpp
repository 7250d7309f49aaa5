#include "plan/order.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "facts/ip_network.h"
#include "network/settings.h"

namespace pve_rdma {

namespace {

// The order of a plan: all steps of a phase come before those of the next.
enum Phase {
    loosen,     // sysctls
    dismantle,  // links that are made anew go first, with all that is on them
    make,       // links, parents first
    lower_mtu,  // from above
    settings,   // modes, negotiation, bonds' timers ...
    raise_mtu,  // from below
    join,       // ports into bonds and bridges
    bring_up,
    add_addresses,  // and metrics of connected routes
    add_routes,     // those without a gateway first
    add_rules,
    drop_rules,
    drop_routes,
    drop_addresses,
    leave,  // ports out of bonds and bridges
    bring_down,
    drop_links,  // children first
    tighten,     // sysctls
    phases
};

std::string text_or(const Link* link, const SettingRule& rule) {
    return link ? rule.read(*link, 0).value_or("") : "";
}

// The rest of a name that leads from a link to those below it, and how far it is from the ground.
int height(const Network& network, const Link& link, int limit = 16) {
    int highest = 0;
    if (limit == 0) return highest;
    const std::string kind = link.info_kind.value_or("");
    if ((kind == "vlan" || kind == "ipoib") && link.link)
        if (const Link* parent = network.find(*link.link)) highest = height(network, *parent, limit - 1) + 1;
    if (kind == "bond" || kind == "bridge")
        for (const auto& port : network.links)
            if (port.master == link.ifname) highest = std::max(highest, height(network, port, limit - 1) + 1);
    return highest;
}

class Orderer {
  public:
    Orderer(const Network& now, const Network& target) : now_(now), target_(target) {}

    std::vector<Step> run() {
        sysctls();
        links();
        changes_of(now_.addresses, target_.addresses, add_addresses, drop_addresses);
        changes_of(now_.routes, target_.routes, add_routes, drop_routes);
        changes_of(now_.rules, target_.rules, add_rules, drop_rules);
        std::ranges::stable_partition(phase_[add_routes],
                                      [](const Step& one) { return !one.route->after->via; });
        keep_secondaries();
        std::vector<Step> steps;
        for (auto& phase : phase_)
            std::ranges::move(phase, std::back_inserter(steps));
        return steps;
    }

  private:
    template <class T>
    void put(Phase phase, std::optional<T> before, std::optional<T> after) {
        phase_[phase].push_back(step(Change<T>{std::move(before), std::move(after)}));
    }
    void set(Phase phase, const std::string& link, std::string key, std::optional<std::string> before,
             std::optional<std::string> after) {
        const auto entry = [&](std::optional<std::string>& value) -> std::optional<SettingEntry> {
            if (!value) return std::nullopt;
            return SettingEntry{link, key, std::move(*value)};
        };
        put<SettingEntry>(phase, entry(before), entry(after));
    }

    void sysctls() {
        for (const auto& [name, value] : target_.sysctls) {
            const auto known = now_.sysctls.find(name);
            if (known == now_.sysctls.end() || known->second == value) continue;
            // Strict reverse path filtering drops packets while addresses and routes still change.
            const bool strict = name.ends_with(".rp_filter") && value == "1";
            put<SysctlEntry>(strict ? tighten : loosen, SysctlEntry{name, known->second},
                             SysctlEntry{name, value});
        }
    }

    // --- links

    bool made_anew(const Link& before, const Link& after) const {
        const auto old = link_entry(before), wanted = link_entry(after);
        return old && wanted && *old != *wanted;
    }

    void links() {
        std::vector<const Link*> links;
        for (const auto& link : target_.links)
            links.push_back(&link);
        std::ranges::stable_sort(links, {}, [&](const Link* link) { return height(target_, *link); });
        for (const Link* link : links) {
            const Link* before = now_.find(link->ifname);
            if (before && made_anew(*before, *link)) {
                take_down(*before, dismantle, dismantle, dismantle);
                before = nullptr;
            }
            if (!before) put<LinkEntry>(make, std::nullopt, link_entry(*link));
            link_settings(before, *link);
        }
        std::ranges::stable_sort(phase_[lower_mtu], std::ranges::greater{}, [&](const Step& one) {
            return height(now_, *now_.find(one.setting->either().link));
        });

        links.clear();
        for (const auto& link : now_.links)
            if (!target_.find(link.ifname)) links.push_back(&link);
        std::ranges::stable_sort(links, std::ranges::greater{},
                                 [&](const Link* link) { return height(now_, *link); });
        for (const Link* link : links)
            take_down(*link, drop_addresses, leave, drop_links);
    }

    // A link goes. Its settings are noted first, so that the way back makes it as it was.
    void take_down(const Link& link, Phase on_it, Phase ports, Phase itself) {
        for (const auto& port : now_.links)
            if (port.master == link.ifname && ports == dismantle)
                set(ports, port.ifname, "master", link.ifname, "");
        if (itself == dismantle) {
            for (const auto& rule : now_.routes)
                if (rule.dev == link.ifname) put<RouteEntry>(on_it, rule, std::nullopt);
            for (const auto& address : now_.addresses)
                if (address.dev == link.ifname) put<AddressEntry>(on_it, address, std::nullopt);
        }
        for (const auto& rule : setting_rules()) {
            if (rule.at_birth || rule.kind == "vf" || rule.way != SettingWay::link_message) continue;
            if (!rule.kind.empty() && rule.kind != link.info_kind.value_or("")) continue;
            const auto value = rule.read(link, 0);
            if (value && !value->empty())
                set(itself, link.ifname, std::string(rule.key), value, std::nullopt);
        }
        put<LinkEntry>(itself, link_entry(link), std::nullopt);
        if (itself == dismantle) dismantled_.push_back(link.ifname);
    }

    Phase phase_of(const SettingRule& rule, const std::string& before, const std::string& after) const {
        if (rule.key == "mtu")
            return !before.empty() && std::stoul(after) < std::stoul(before) ? lower_mtu : raise_mtu;
        if (rule.key == "master") return after.empty() ? leave : join;
        if (rule.key == "up") return after == "true" ? bring_up : bring_down;
        // A bond's preferred port can only be named when it is one.
        if (rule.key == "bond.primary") return bring_up;
        return settings;
    }

    void link_settings(const Link* before, const Link& after) {
        for (const auto& rule : setting_rules()) {
            if (rule.kind == "vf" || (rule.at_birth && !before)) continue;
            const std::string old = text_or(before, rule), wanted = text_or(&after, rule);
            if (rule.key == "vlans" &&
                text_or(before, *SettingKey("master").rule) != after.master.value_or(""))
                continue;  // go and come with the bridge
            if (wanted == old || (wanted.empty() && !before)) continue;
            // What a link of ours is born with need not be said, and what is not known of it cannot be.
            if (!before && rule.key == "ipoib.mode" && wanted == "datagram") continue;
            const Phase phase = phase_of(rule, old, wanted);
            const auto old_value = before ? std::optional(old) : std::nullopt;
            if (rule.key == "master") {
                change_master(phase, before, after, old_value);
                continue;
            }
            set(phase, after.ifname, std::string(rule.key), old_value, wanted);
        }
        for (const auto& vf : after.vfinfo_list)
            for (const auto& rule : setting_rules()) {
                if (rule.kind != "vf") continue;
                const auto old = before ? rule.read(*before, vf.vf) : std::nullopt;
                const auto wanted = rule.read(after, vf.vf);
                if (wanted && wanted != old)
                    set(settings, after.ifname, fmt::format("vf.{}.{}", vf.vf, rule.name()), old, wanted);
            }
    }

    // Out of one bond or bridge, into another. A bridge's port has its VLANs by the bridge, so those of the
    // old one are noted for the way back.
    void change_master(Phase phase, const Link* before, const Link& after,
                       const std::optional<std::string>& old_master) {
        const SettingRule& vlans = *SettingKey("vlans").rule;
        if (before)
            if (const auto old = vlans.read(*before, 0)) set(phase, after.ifname, "vlans", old, std::nullopt);
        if (phase == join && joins_bond(after)) return join_bond(before, after, old_master);
        set(phase, after.ifname, "master", old_master, after.master.value_or(""));
        if (const auto wanted = vlans.read(after, 0)) set(phase, after.ifname, "vlans", std::nullopt, wanted);
    }

    bool joins_bond(const Link& port) const {
        const Link* master = port.master ? target_.find(*port.master) : nullptr;
        return master && master->info_kind == "bond";
    }

    // A bond takes a port that is down only; its routes and IPv6 addresses go before it is.
    void join_bond(const Link* before, const Link& after, const std::optional<std::string>& old_master) {
        const bool was_up = before && is_up(*before);
        if (was_up) {
            for (const auto& route : now_.routes)
                if (route.dev == after.ifname) {
                    put<RouteEntry>(join, route, std::nullopt);
                    dropped_early_.push_back(place_key(route));
                }
            for (const auto& address : now_.addresses)
                if (address.dev == after.ifname && address.local.is_v6())
                    put<AddressEntry>(join, address, std::nullopt);
            set(join, after.ifname, "up", "true", "false");
        }
        set(join, after.ifname, "master", old_master, *after.master);
        if (was_up) set(join, after.ifname, "up", "false", "true");
    }

    // --- addresses, routes, rules

    template <class T>
    bool gone_early(const T& entry) const {
        if constexpr (requires { entry.dev; })
            if (std::ranges::find(dismantled_, entry.dev) != dismantled_.end()) return true;
        if constexpr (std::is_same_v<T, RouteEntry>)
            return std::ranges::find(dropped_early_, place_key(entry)) != dropped_early_.end();
        if constexpr (std::is_same_v<T, AddressEntry>) {
            const Link* link = target_.find(entry.dev);
            const Link* before = now_.find(entry.dev);
            return entry.local.is_v6() && link && before && is_up(*before) &&
                   before->master != link->master && joins_bond(*link);
        }
        return false;
    }

    template <class T>
    void changes_of(const std::vector<T>& now, const std::vector<T>& target, Phase adding, Phase dropping) {
        std::unordered_multimap<std::string, const T*> old;
        old.reserve(now.size());
        for (const auto& entry : now)
            if (!gone_early(entry)) old.emplace(place_key(entry), &entry);
        std::vector<const T*> wanted;
        // What is the same on both sides leaves the table; of what is left, one key may hold several.
        for (const auto& entry : target) {
            const auto [first, last] = old.equal_range(place_key(entry));
            const auto same =
                std::find_if(first, last, [&](const auto& one) { return *one.second == entry; });
            if (same != last)
                old.erase(same);
            else
                wanted.push_back(&entry);
        }
        for (const T* entry : wanted) {
            const auto found = old.find(place_key(*entry));
            // A route of another type, and an IPv6 one through another gateway, cannot take the place in one
            // message without a moment of both.
            if (found == old.end()) {
                put<T>(adding, std::nullopt, *entry);
            } else {
                put<T>(adding, *found->second, *entry);
                old.erase(found);
            }
        }
        for (const auto& entry : now) {  // in the order of the kernel, not of the table
            if (old.empty()) break;
            const auto [first, last] = old.equal_range(place_key(entry));
            const auto left =
                std::find_if(first, last, [&](const auto& one) { return one.second == &entry; });
            if (left == last) continue;
            put<T>(dropping, entry, std::nullopt);
            old.erase(left);
        }
    }

    // With the first IPv4 address of a network its later ones go too, unless the link promotes them. It does
    // so from before addresses come until after they have gone, for on the way back the new one is the first.
    void keep_secondaries() {
        const auto promotes = [&](const std::string& sysctl) {
            const auto found = now_.sysctls.find(sysctl);
            return found == now_.sysctls.end() || found->second != "0";
        };
        if (promotes("net.ipv4.conf.all.promote_secondaries")) return;
        std::set<std::string> links;
        for (const auto& one : phase_[drop_addresses]) {
            if (!one.address || one.address->before->local.is_v6()) continue;
            const AddressEntry& gone = *one.address->before;
            if (std::ranges::any_of(target_.addresses, [&](const AddressEntry& other) {
                    return other.dev == gone.dev && other.length == gone.length &&
                           covers(gone.local, gone.length, other.local);
                }))
                links.insert(gone.dev);
        }
        for (const auto& link : links) {
            const std::string name = fmt::format("net.ipv4.conf.{}.promote_secondaries", link);
            if (promotes(name)) continue;
            put<SysctlEntry>(loosen, SysctlEntry{name, "0"}, SysctlEntry{name, "1"});
            put<SysctlEntry>(tighten, SysctlEntry{name, "1"}, SysctlEntry{name, "0"});
        }
    }

    const Network& now_;
    const Network& target_;
    std::array<std::vector<Step>, phases> phase_;
    std::vector<std::string> dismantled_, dropped_early_;
};

}  // namespace

std::vector<Step> ordered_steps(const Network& now, const Network& target) {
    return Orderer(now, target).run();
}

}  // namespace pve_rdma
