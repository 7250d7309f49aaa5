// What links may not be called, and where they may not be put.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "plan/refuse_parts.h"

namespace pve_rdma {

namespace {

bool infiniband(const Link& link) {
    return link.link_type == "infiniband";
}

}  // namespace

Refusals refuse_names(const Safety& safety) {
    Refusals errors;
    for (const auto& link : safety.target.links) {
        if (safety.now.find(link.ifname)) continue;
        const std::string& name = link.ifname;
        const bool sound = name.size() <= 15 && name != "." && name != ".." && name != "all" &&
                           name != "default" && std::ranges::none_of(name, [](unsigned char c) {
                               return c <= ' ' || c == '/' || c == ':' || c >= 0x7f;
                           });
        if (!sound) {
            errors.push_back(no(name, "the kernel takes no such name for a link",
                                "1 to 15 letters, digits, dashes, dots; not all and not default"));
            continue;
        }
        const std::string kind = link.info_kind.value_or("");
        const auto digits_behind = [&](std::string_view prefix) {
            return name.starts_with(prefix) && name.size() > prefix.size() &&
                   std::ranges::all_of(name.substr(prefix.size()),
                                       [](unsigned char c) { return std::isdigit(c); });
        };
        if (kind == "ipoib" && name.contains('.'))
            errors.push_back(
                no(name, "Proxmox reads a name with a dot as a VLAN and then saves no network any more",
                   fmt::format("name it {}p{}", link.link.value_or("ib0"),
                               link.ipoib && link.ipoib->key && link.ipoib->key->size() > 2
                                   ? link.ipoib->key->substr(2)
                                   : "8001")));
        if (kind == "bond" && !digits_behind("bond"))
            errors.push_back(
                no(name, "Proxmox knows a bond by the name bond and a number only", "bond0, bond1 ..."));
        if (kind == "bridge" && !digits_behind("vmbr"))
            errors.push_back(
                no(name, "Proxmox knows a bridge by the name vmbr and a number only", "vmbr0, vmbr1 ..."));
    }
    return errors;
}

Refusals refuse_infiniband(const Safety& safety) {
    Refusals errors;
    for (const auto& port : safety.target.links) {
        if (!port.master || !infiniband(port)) continue;
        const Link* master = safety.target.find(*port.master);
        const Link* before = safety.now.find(port.ifname);
        if (!master || (before && before->master == port.master && safety.now.find(*port.master) &&
                        safety.now.find(*port.master)->bond == master->bond))
            continue;  // as it is already
        if (master->info_kind == "bridge")
            errors.push_back(
                no(port.ifname,
                   fmt::format("IPoIB carries no Ethernet frames, so {} cannot be in the bridge {}",
                               port.ifname, master->ifname),
                   "route to the guests, or give them virtual functions (SR-IOV)"));
        if (master->info_kind == "bond" && master->bond && master->bond->mode != "active-backup")
            errors.push_back(
                no(master->ifname,
                   fmt::format("a bond of IPoIB ports works in the mode active-backup only, not {}",
                               master->bond->mode.value_or("balance-rr")),
                   "\"mode\": \"active-backup\"; it gives a second path, not more bandwidth"));
    }
    for (const auto& child : safety.target.links) {
        if (child.info_kind != "ipoib" || !child.link || safety.now.find(child.ifname)) continue;
        const Link* parent = safety.target.find(*child.link);
        if (parent && (parent->info_kind != "ipoib" || parent->link))
            errors.push_back(no(
                child.ifname, fmt::format("its parent {} is no port of an InfiniBand card", *child.link),
                "a bond cannot have P_Key children (kernels up to 6.12 crash on the attempt): make a child "
                "on each port, and a bond of them"));
    }
    for (const auto& bond : safety.target.links) {
        if (bond.info_kind != "bond") continue;
        bool ib = false, ethernet = false;
        for (const auto& port : safety.target.links)
            if (port.master == bond.ifname) (infiniband(port) ? ib : ethernet) = true;
        if (ib && ethernet)
            errors.push_back(no(bond.ifname, "a bond cannot have both InfiniBand and Ethernet ports",
                                "one bond for each"));
    }
    return errors;
}

Refusals refuse_bond_ports(const Safety& safety) {
    Refusals errors;
    for (const auto& port : safety.target.links) {
        const Link* master = port.master ? safety.target.find(*port.master) : nullptr;
        if (!master) continue;
        const Link* before = safety.now.find(port.ifname);
        if (before && before->master == port.master) continue;
        for (const auto& address : safety.target.addresses)
            if (address.dev == port.ifname) {
                errors.push_back(
                    no(port.ifname,
                       fmt::format("has the address {}/{}, which would be dead once it is in {}",
                                   address.local.text(), address.length, master->ifname),
                       fmt::format("give the address to {} and name it as absent here", master->ifname)));
                break;
            }
    }
    for (const auto& bond : safety.target.links) {
        const Link* before = safety.now.find(bond.ifname);
        if (!before || !before->bond || !bond.bond) continue;
        const bool has_ports = std::ranges::any_of(
            safety.now.links, [&](const Link& port) { return port.master == bond.ifname; });
        if (has_ports && (before->bond->mode != bond.bond->mode ||
                          before->bond->fail_over_mac != bond.bond->fail_over_mac ||
                          before->bond->ad_lacp_rate != bond.bond->ad_lacp_rate))
            errors.push_back(
                no(bond.ifname, "the kernel changes this of a bond without ports only",
                   "take its ports out in one change (\"ports\": []), and put them in with the next"));
    }
    return errors;
}

}  // namespace pve_rdma
