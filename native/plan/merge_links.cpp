#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/pkey.h"
#include "facts/guest_link.h"
#include "network/settings.h"
#include "plan/merge_parts.h"

namespace pve_rdma {

namespace {

class LinkMerger {
  public:
    LinkMerger(const Network& now, const Desired& desired, Merged& merged)
        : now_(now), desired_(desired), merged_(merged), target_(merged.target) {}

    void run() {
        for (const auto& link : desired_.links)
            if (!absent(link.state)) ensure(link);
        for (const auto& link : desired_.links)
            if (!absent(link.state) && target_.find(link.name)) settings(link);
        for (const auto& link : desired_.links)
            if (!absent(link.state) && target_.find(link.name) && link.ports) ports(link);
        for (const auto& link : desired_.links)
            if (!absent(link.state) && link.settings.contains("vlans")) refuse_vlans_of_no_port(link.name);
        follow_mtus();
        for (const auto& link : desired_.links)
            if (absent(link.state)) remove(link.name);
    }

  private:
    void refuse(ErrorCode code, const std::string& subject, std::string message, std::string hint = {}) {
        merged_.refusals.push_back(
            {.code = code, .subject = subject, .message = std::move(message), .hint = std::move(hint)});
    }

    // The link is there, made if need be.
    void ensure(const DesiredLink& want) {
        if (const Link* link = target_.find(want.name)) {
            const std::string kind = link->info_kind.value_or("");
            if (want.kind && *want.kind != kind)
                return refuse(ErrorCode::conflict, want.name,
                              fmt::format("is {} and not {}",
                                          kind.empty() ? "a card's link" : "of kind " + kind, *want.kind),
                              "choose another name, or remove it first (\"state\": \"absent\")");
            remake(want, *target_.find(want.name));
            return;
        }
        make(want);
    }

    // What a link is made of (its parent, P_Key, VLAN) cannot be changed; it can be made anew.
    void remake(const DesiredLink& want, Link& link) {
        if (want.parent && link.link != want.parent) link.link = want.parent;
        if (want.pkey && link.ipoib) {
            const auto pkey = PKey::parse(*want.pkey);
            if (!pkey) return refuse(ErrorCode::bad_request, want.name, pkey.error().message);
            link.ipoib->key = pkey->text();
        }
        if (want.id && link.vlan) link.vlan->id = want.id;
    }

    void make(const DesiredLink& want) {
        if (!want.kind)
            return refuse(ErrorCode::not_found, want.name, "there is no such link",
                          "look for its name with pve-rdma probe; to make one, say its kind: bond, bridge, "
                          "vlan or ipoib");
        Link link{.ifname = want.name, .link_type = "ether", .info_kind = want.kind};
        link.mtu = 1500;
        const Link* parent = want.parent ? target_.find(*want.parent) : nullptr;
        if (*want.kind == "vlan" || *want.kind == "ipoib") {
            if (!want.parent)
                return refuse(ErrorCode::bad_request, want.name,
                              fmt::format("a {} needs a parent", *want.kind));
            if (!parent)
                return refuse(ErrorCode::not_found, want.name,
                              fmt::format("its parent {} is not there", *want.parent),
                              "is the card's driver loaded, and ib_ipoib?");
            link.link = want.parent;
            link.link_type = parent->link_type;
            link.mtu = parent->mtu;
        }
        if (*want.kind == "vlan") {
            if (!want.id || *want.id < 1 || *want.id > 4094)
                return refuse(ErrorCode::bad_request, want.name, "a VLAN needs an id from 1 to 4094");
            link.vlan.emplace().id = want.id;
        } else if (*want.kind == "ipoib") {
            const auto pkey = PKey::parse(want.pkey.value_or(""));
            if (!pkey)
                return refuse(ErrorCode::bad_request, want.name, "a P_Key child needs a pkey", "as 0x8001");
            auto& ipoib = link.ipoib.emplace();
            ipoib.key = pkey->text();
            ipoib.mode = "datagram";
        } else if (*want.kind == "bond") {
            link.bond.emplace().mode = "balance-rr";
        } else if (*want.kind == "bridge") {
            link.bridge.emplace();
        } else {
            return refuse(ErrorCode::bad_request, want.name,
                          fmt::format("no link of kind {} can be made", *want.kind),
                          "one of: bond, bridge, vlan, ipoib");
        }
        if (!want.settings.contains("up")) link.flags.emplace_back("UP");
        target_.links.push_back(std::move(link));
    }

    void settings(const DesiredLink& want) {
        Link& link = *target_.find(want.name);
        for (const auto& [name, value] : want.settings)
            set(want.name, link, link.info_kind.value_or(""), name, "", value);
        for (const auto& vf : want.virtual_functions)
            for (const auto& [name, value] : vf.settings)
                set(want.name, link, "vf", name, fmt::format("vf.{}.", vf.vf), value);
    }

    void set(const std::string& subject, Link& link, const std::string& kind, const std::string& name,
             const std::string& prefix, const std::string& value) {
        const SettingRule* rule = find_setting(name, kind);
        if (!rule)
            return refuse(ErrorCode::bad_request, subject,
                          fmt::format("{} has no setting \"{}\"",
                                      kind.empty() ? "a card's link" : "a link of kind " + kind, name));
        const auto canonical = rule->canonical(value);
        if (!canonical) {
            merged_.refusals.push_back(canonical.error());
            merged_.refusals.back().subject = subject + " " + name;
            return;
        }
        const SettingKey key(prefix.empty() ? std::string(rule->key) : prefix + name);
        const bool exists = now_.find(subject) != nullptr;
        if (exists && !key.read(link) && !key.rule->at_birth && name != "alias" && name != "vlans")
            return refuse(
                ErrorCode::unavailable, subject,
                fmt::format("its {} is not known: the driver does not tell, or has no such thing", name),
                "pve-rdma probe says what could not be read");
        key.write(link, *canonical);
    }

    void ports(const DesiredLink& want) {
        const std::set<std::string> wanted(want.ports->begin(), want.ports->end());
        for (auto& link : target_.links) {
            if (link.master != want.name || wanted.contains(link.ifname)) continue;
            if (is_guest_link(link.ifname)) continue;
            link.master.reset();
            link.bridge_vlans.clear();
            link.bridge_port.reset();
        }
        for (const auto& name : *want.ports) {
            Link* port = target_.find(name);
            if (!port) {
                refuse(ErrorCode::not_found, want.name, fmt::format("its port {} is not there", name));
                continue;
            }
            if (is_guest_link(name) && port->master != want.name) {
                refuse(ErrorCode::conflict, name, "belongs to a guest: Proxmox attaches it itself");
                continue;
            }
            port->master = want.name;
        }
    }

    void refuse_vlans_of_no_port(const std::string& name) {
        const Link* link = target_.find(name);
        const Link* master = link && link->master ? target_.find(*link->master) : nullptr;
        if (master && master->info_kind == "bridge") return;
        refuse(ErrorCode::bad_request, name, "is no port of a bridge, so it carries no VLANs",
               "name it among the ports of a bridge; a VLAN interface is a link of kind vlan");
    }

    bool names(const std::string& link, const char* setting) const {
        const auto found = std::ranges::find(desired_.links, link, &DesiredLink::name);
        return found != desired_.links.end() && found->settings.contains(setting);
    }

    // Bonds give their MTU to their ports; what stands on a link has to fit into it.
    void follow_mtus() {
        for (const auto& bond : target_.links) {
            if (bond.info_kind != "bond") continue;
            for (auto& port : target_.links)
                if (port.master == bond.ifname && port.mtu != bond.mtu) {
                    if (names(port.ifname, "mtu"))
                        refuse(ErrorCode::bad_request, port.ifname,
                               fmt::format("cannot have MTU {} of its own: its bond {} has {}",
                                           port.mtu.value_or(0), bond.ifname, bond.mtu.value_or(0)),
                               "give the MTU to the bond alone");
                    port.mtu = bond.mtu;
                }
        }
        // From below upwards; a chain is at most as long as there are links.
        for (std::size_t round = 0, changed = 1; changed && round < target_.links.size(); ++round) {
            changed = 0;
            for (auto& link : target_.links) {
                if (link.info_kind != "vlan" || !link.link) continue;
                const Link* parent = target_.find(*link.link);
                if (!parent || !parent->mtu || !link.mtu || *link.mtu <= *parent->mtu) continue;
                if (names(link.ifname, "mtu")) continue;  // refused later, by name
                merged_.notes.push_back(fmt::format("the MTU of {} falls to {} with that of {}", link.ifname,
                                                    *parent->mtu, parent->ifname));
                link.mtu = parent->mtu;
                ++changed;
            }
        }
    }

    void remove(const std::string& name) {
        const Link* link = target_.find(name);
        if (!link) return;
        if (!link_entry(*link))
            return refuse(ErrorCode::bad_request, name, "no software made this link, so it cannot be removed",
                          "\"up\": false sets it down");
        for (const auto& other : target_.links) {
            const bool going = std::ranges::any_of(desired_.links, [&](const DesiredLink& one) {
                return one.name == other.ifname && absent(one.state);
            });
            if (other.link == name && !going)
                return refuse(ErrorCode::conflict, name, fmt::format("{} stands on it", other.ifname),
                              fmt::format("remove {} too", other.ifname));
            if (other.master == name && is_guest_link(other.ifname))
                return refuse(ErrorCode::conflict, name,
                              fmt::format("the guest's port {} is in it", other.ifname),
                              "stop or move the guest first");
        }
        for (auto& port : target_.links)
            if (port.master == name) port.master.reset();
        std::vector<AddressEntry> gone;
        for (const auto& address : target_.addresses)
            if (address.dev == name) gone.push_back(address);
        for (const auto& address : gone)
            drop_address(merged_, address);
        drop_routes_of(merged_, name, "its link goes");
        std::erase_if(target_.links, [&](const Link& one) { return one.ifname == name; });
    }

    const Network& now_;
    const Desired& desired_;
    Merged& merged_;
    Network& target_;
};

}  // namespace

void merge_links(const Network& now, const Desired& desired, Merged& merged) {
    LinkMerger(now, desired, merged).run();
}

}  // namespace pve_rdma
