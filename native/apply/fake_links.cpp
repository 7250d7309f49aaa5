// Links of the model: net/core/rtnetlink.c, net/8021q, net/bridge/br_if.c, drivers/net/bonding,
// drivers/infiniband/ulp/ipoib.
#include <algorithm>
#include <cerrno>

#include "apply/fake_state.h"
#include "base/number.h"
#include "network/settings.h"

namespace pve_rdma {

namespace {

constexpr std::uint32_t connected_mtu = 65520, encapsulation = 4;

bool is_kind(const Link& link, std::string_view kind) {
    return link.info_kind == kind;
}

template <class Each>
void for_each_on(FakeState& state, const std::string& parent, Each&& each) {
    for (auto& link : state.network.links)
        if (link.link == parent && link.ifname != parent) each(link);
}

template <class Each>
void for_each_port(FakeState& state, const std::string& master, Each&& each) {
    for (auto& link : state.network.links)
        if (link.master == master) each(link);
}

bool has_ports(const FakeState& state, const std::string& master) {
    return std::ranges::any_of(state.network.links, [&](const Link& link) { return link.master == master; });
}

// A child has the limits of its port.
IpoibLimits limits_of(const FakeState& state, const Link& link) {
    const auto found = state.ipoib.find(link.link.value_or(link.ifname));
    return found == state.ipoib.end() ? IpoibLimits{} : found->second;
}

std::uint32_t datagram_mtu(const IpoibLimits& limits) {
    return std::min(limits.link, limits.group) - encapsulation;
}

// br_mtu_auto_adjust()
void follow_ports(FakeState& state, const std::string& bridge) {
    if (state.mtu_is_set.contains(bridge)) return;
    std::optional<std::uint32_t> lowest;
    for_each_port(state, bridge, [&](const Link& port) {
        if (!lowest || port.mtu.value_or(0) < *lowest) lowest = port.mtu;
    });
    Link* link = state.network.find(bridge);
    if (link && is_kind(*link, "bridge")) link->mtu = lowest.value_or(1500);
}

// What else happens when a link has another MTU.
void spread_mtu(FakeState& state, const std::string& name, std::uint32_t mtu) {
    if (mtu < smallest_ipv6_mtu) {
        leave_ipv6(state, name);
        std::erase_if(state.network.sysctls, [&](const auto& entry) {
            return entry.first.starts_with("net.ipv6.conf." + name + ".");
        });
    }
    for_each_on(state, name, [&](Link& above) {
        if (is_kind(above, "vlan") && above.mtu.value_or(0) > mtu) {
            above.mtu = mtu;
            spread_mtu(state, above.ifname, mtu);
        }
    });
    const Link* link = state.network.find(name);
    if (link && link->master) {
        const std::string master = *link->master;
        const auto before = state.network.find(master)->mtu;
        follow_ports(state, master);
        if (const auto after = state.network.find(master)->mtu; after != before)
            spread_mtu(state, master, *after);
    }
}

Result<void> check_mtu(const FakeState& state, const Link& link, std::uint32_t mtu) {
    if (link.max_mtu && *link.max_mtu && mtu > *link.max_mtu)
        return kernel_refuses(EINVAL, link.ifname, "mtu greater than device maximum");
    if (link.min_mtu && mtu < *link.min_mtu)
        return kernel_refuses(EINVAL, link.ifname, "mtu less than device minimum");
    if (is_kind(link, "vlan") && link.link)
        if (const Link* parent = state.network.find(*link.link); parent && mtu > parent->mtu)
            return kernel_refuses(ERANGE, link.ifname, "");
    if (is_kind(link, "ipoib") && link.ipoib && link.ipoib->mode == "datagram" &&
        mtu > limits_of(state, link).link - encapsulation)
        return kernel_refuses(EINVAL, link.ifname, "");
    return {};
}

Result<void> set_ipoib_mode(FakeState& state, Link& link, const std::string& mode) {
    const IpoibLimits limits = limits_of(state, link);
    if (mode == "connected" && limits.enhanced) return kernel_refuses(EINVAL, link.ifname, "");
    link.ipoib->mode = mode;
    if (mode == "connected") return {};
    link.mtu = std::min(*link.mtu, datagram_mtu(limits));
    spread_mtu(state, link.ifname, *link.mtu);
    return {};
}

Result<void> leave_master(FakeState& state, Link& link) {
    const std::string old = *link.master;
    const Link* master = state.network.find(old);
    link.master.reset();
    link.bridge_vlans.clear();
    link.bridge_port.reset();
    link.bond_port.reset();
    if (master && is_kind(*master, "bond")) {
        if (const auto down = set_up(state, link, false); !down) return down;
        const auto own = state.mtu_before_bond.extract(link.ifname);
        return own ? set_mtu(state, link, own.mapped()) : Result<void>{};
    }
    follow_ports(state, old);
    return {};
}

Result<void> enter_bond(FakeState& state, Link& link, Link& bond) {
    if (is_up(link)) return kernel_refuses(EPERM, link.ifname, "Device can not be enslaved while up");
    const bool infiniband = link.link_type == "infiniband";
    if (has_ports(state, bond.ifname) && link.link_type != bond.link_type)
        return kernel_refuses(EINVAL, link.ifname, "Device type is different from other slaves");
    if (infiniband && bond.bond && bond.bond->mode != "active-backup")
        return kernel_refuses(EOPNOTSUPP, link.ifname,
                              "Only active-backup mode is supported for infiniband slaves");
    if (infiniband && bond.bond) bond.bond->fail_over_mac = "active";
    bond.link_type = link.link_type;
    const std::uint32_t own = *link.mtu;
    if (const auto set = set_mtu(state, link, *bond.mtu); !set) return set;
    state.mtu_before_bond[link.ifname] = own;
    link.master = bond.ifname;
    return set_up(state, link, true);
}

Result<void> enter_bridge(FakeState& state, Link& link, const Link& bridge) {
    if (link.link_type != "ether" || is_kind(link, "bridge"))
        return kernel_refuses(is_kind(link, "bridge") ? ELOOP : EINVAL, link.ifname,
                              is_kind(link, "bridge") ? "Can not enslave a bridge to a bridge" : "");
    link.master = bridge.ifname;
    link.bridge_port.emplace();
    SettingKey("vlans").write(link, "1 pvid untagged");  // the bridge's default_pvid
    follow_ports(state, bridge.ifname);
    return {};
}

// Some settings of a bond ask for one without ports, or for one that is down (bond_options.c).
Result<void> check_bond(const FakeState& state, const Link& bond, std::string_view key) {
    if ((key == "bond.mode" || key == "bond.fail_over_mac") && has_ports(state, bond.ifname))
        return kernel_refuses(ENOTEMPTY, bond.ifname, "option cannot be set while the bond has slaves");
    if ((key == "bond.mode" || key == "bond.lacp_rate") && is_up(bond))
        return kernel_refuses(EACCES, bond.ifname, "option cannot be set while the bond is up");
    return {};
}

}  // namespace

Result<void> make_link(FakeState& state, const LinkEntry& entry) {
    if (state.network.find(entry.name)) return kernel_refuses(EEXIST, entry.name, "");
    if (entry.name.empty() || entry.name.size() > 15) return kernel_refuses(ERANGE, entry.name, "");
    const Link* parent = entry.parent ? state.network.find(*entry.parent) : nullptr;
    if (entry.parent && !parent) return kernel_refuses(ENODEV, entry.name, "");
    Link link{.ifname = entry.name,
              .flags = {"BROADCAST", "MULTICAST"},
              .mtu = 1500,
              .link_type = "ether",
              .info_kind = entry.kind};
    link.min_mtu = 68;
    link.max_mtu = 65535;
    if (parent) link.link = parent->ifname;
    if (entry.kind == "vlan") {
        if (!parent || parent->link_type != "ether")
            return kernel_refuses(EOPNOTSUPP, entry.name, "VLANs not supported on device");
        bool taken = false;
        for_each_on(state, parent->ifname,
                    [&](const Link& one) { taken |= one.vlan && one.vlan->id == entry.id; });
        if (taken) return kernel_refuses(EEXIST, entry.name, "VLAN device already exists");
        link.mtu = parent->mtu;
        link.vlan.emplace();
        link.vlan->protocol = "802.1Q";
        link.vlan->id = entry.id;
    } else if (entry.kind == "ipoib") {
        if (!parent || !parent->ipoib || parent->link) return kernel_refuses(ENODEV, entry.name, "");
        link.link_type = "infiniband";
        link.max_mtu = connected_mtu;
        link.ipoib.emplace();
        link.ipoib->key = entry.pkey;
        link.ipoib->mode = "datagram";
        link.mtu = datagram_mtu(limits_of(state, link));
    } else if (entry.kind == "bond") {
        link.bond.emplace();
        link.bond->mode = "balance-rr";
        link.bond->miimon = link.bond->updelay = link.bond->downdelay = link.bond->min_links = 0;
        link.bond->fail_over_mac = "none";
        link.bond->xmit_hash_policy = "layer2";
        link.bond->ad_lacp_rate = "slow";
        link.flags.emplace_back("MASTER");
    } else if (entry.kind == "bridge") {
        link.bridge.emplace();
        link.bridge->stp_state = link.bridge->vlan_filtering = 0;
    } else {
        return kernel_refuses(EOPNOTSUPP, entry.name, "Unknown device type");
    }
    link.ifindex = ++state.last_ifindex;
    for (const auto& [key, value] : entry.settings)
        if (const SettingKey setting(key); setting) setting.write(link, value);
    state.network.links.push_back(std::move(link));
    return {};
}

Result<void> delete_link(FakeState& state, const std::string& name) {
    std::vector<std::string> on_it, ports;
    for_each_on(state, name, [&](const Link& link) { on_it.push_back(link.ifname); });
    for_each_port(state, name, [&](const Link& link) { ports.push_back(link.ifname); });
    for (const auto& one : on_it)
        if (const auto gone = delete_link(state, one); !gone) return gone;
    for (const auto& port : ports)
        if (const auto left = leave_master(state, *state.network.find(port)); !left) return left;
    Link* link = state.network.find(name);
    if (link->master)
        if (const auto left = leave_master(state, *link); !left) return left;
    Network& network = state.network;
    std::erase_if(network.addresses, [&](const auto& one) { return one.dev == name; });
    std::erase_if(network.routes, [&](const auto& one) { return one.dev == name; });
    std::erase_if(network.sysctls, [&](const auto& entry) {
        return entry.first.starts_with("net.ipv4.conf." + name + ".") ||
               entry.first.starts_with("net.ipv6.conf." + name + ".");
    });
    std::erase_if(network.links, [&](const Link& one) { return one.ifname == name; });
    state.mtu_is_set.erase(name);
    return {};
}

Result<void> set_mtu(FakeState& state, Link& link, std::uint32_t mtu) {
    if (link.mtu == mtu) return {};
    if (const auto fine = check_mtu(state, link, mtu); !fine) return fine;
    if (is_kind(link, "bond")) {
        std::optional<Error> refused;
        for_each_port(state, link.ifname, [&](const Link& port) {
            if (const auto fine = check_mtu(state, port, mtu); !fine && !refused) refused = fine.error();
        });
        if (refused) return std::unexpected(*refused);
        for_each_port(state, link.ifname, [&](Link& port) {
            port.mtu = mtu;
            spread_mtu(state, port.ifname, mtu);
        });
    }
    if (is_kind(link, "bridge")) state.mtu_is_set.insert(link.ifname);
    // Above what the group carries the kernel says yes and keeps the group's.
    if (link.ipoib && link.ipoib->mode == "datagram")
        mtu = std::min(mtu, datagram_mtu(limits_of(state, link)));
    link.mtu = mtu;
    spread_mtu(state, link.ifname, mtu);
    return {};
}

Result<void> set_up(FakeState& state, Link& link, bool up) {
    if (is_up(link) == up) return {};
    const Link* parent = is_kind(link, "vlan") && link.link ? state.network.find(*link.link) : nullptr;
    if (up && parent && !is_up(*parent)) return kernel_refuses(ENETDOWN, link.ifname, "");
    SettingKey("up").write(link, up ? "true" : "false");
    const std::string name = link.ifname;
    if (!up) {
        const auto kept_down = state.network.sysctls.find("net.ipv6.conf." + name + ".keep_addr_on_down");
        std::erase_if(state.network.routes, [&](const auto& route) { return route.dev == name; });
        if (kept_down == state.network.sysctls.end() || kept_down->second == "0") leave_ipv6(state, name);
    }
    std::optional<Error> failed;
    for_each_on(state, name, [&](Link& above) {
        if (is_kind(above, "vlan"))
            if (const auto set = set_up(state, above, up); !set) failed = set.error();
    });
    if (failed) return std::unexpected(*failed);
    return {};
}

Result<void> set_master(FakeState& state, Link& link, const std::string& master) {
    Link* to = master.empty() ? nullptr : state.network.find(master);
    if (!master.empty() && !to) return kernel_refuses(ENODEV, link.ifname, "");
    if (link.master)
        if (const auto left = leave_master(state, link); !left) return left;
    if (!to) return {};
    if (is_kind(*to, "bond")) return enter_bond(state, link, *to);
    if (is_kind(*to, "bridge")) return enter_bridge(state, link, *to);
    return kernel_refuses(EOPNOTSUPP, link.ifname, "");
}

Result<void> change_setting(FakeState& state, const SettingEntry& setting) {
    Link& link = *state.network.find(setting.link);
    if (setting.key == "mtu")
        return set_mtu(state, link, parse_number<std::uint32_t>(setting.value).value_or(0));
    if (setting.key == "up") return set_up(state, link, setting.value == "true");
    if (setting.key == "master") return set_master(state, link, setting.value);
    if (setting.key == "ipoib.mode") return set_ipoib_mode(state, link, setting.value);
    if (const auto fine = check_bond(state, link, setting.key); !fine) return fine;
    SettingKey(setting.key).write(link, setting.value);
    return {};
}

}  // namespace pve_rdma
