#include "plan/refuse.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include <fmt/format.h>

#include "eni/link_roles.h"
#include "facts/guest_link.h"
#include "facts/ip_network.h"

namespace pve_rdma {

namespace {

using Errors = std::vector<Error>;

Error no(const std::string& subject, std::string message, std::string hint) {
    return {.code = ErrorCode::bad_request,
            .subject = subject,
            .message = std::move(message),
            .hint = std::move(hint)};
}

bool infiniband(const Link& link) {
    return link.link_type == "infiniband";
}

// --- names

Errors names(const Safety& safety) {
    Errors errors;
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

// --- InfiniBand

Errors infiniband_ports(const Safety& safety) {
    Errors errors;
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

// mlx5 runs IPoIB in its enhanced form, which knows datagram mode only.
bool enhanced(const Safety& safety, const Link& link) {
    const Link* port = link.link ? safety.target.find(*link.link) : &link;
    for (const auto& pci : safety.report.pci)
        if (port && port->parentdev == pci.address) return pci.driver == "mlx5_core";
    return false;
}

// The MTU of the link below an IPoIB interface; 0 when it is not known.
std::uint32_t port_mtu(const Safety& safety, const Link& link) {
    const Link* below = link.link ? safety.target.find(*link.link) : &link;
    std::uint32_t largest = 0;
    for (const auto& device : safety.report.devices)
        for (const auto& port : device.ports)
            if (below && std::ranges::find(port.netdevs, below->ifname) != port.netdevs.end())
                largest = port.active_mtu.value_or(0);
    return largest;
}

// --- MTU

bool changes(const Safety& safety, const Link& link) {
    const Link* before = safety.now.find(link.ifname);
    return !before || before->mtu != link.mtu || before->master != link.master ||
           (before->ipoib && link.ipoib && before->ipoib->mode != link.ipoib->mode);
}

Errors mtus(const Safety& safety) {
    Errors errors;
    const Network& target = safety.target;
    for (const auto& link : target.links) {
        if (!link.mtu || !changes(safety, link)) continue;
        const Link* before = safety.now.find(link.ifname);
        if (link.max_mtu && *link.max_mtu && *link.mtu > *link.max_mtu)
            errors.push_back(no(
                link.ifname,
                fmt::format("MTU {} is above {}, the most that its driver takes", *link.mtu, *link.max_mtu),
                "a smaller MTU"));
        if (*link.mtu < 1280 && (!before || before->mtu.value_or(0) >= 1280) &&
            std::ranges::any_of(safety.report.addresses, [&](const Address& address) {
                return address.ifname == link.ifname && address.family == "inet6";
            }))
            errors.push_back(no(
                link.ifname,
                fmt::format("an MTU of {} takes IPv6 away from it: addresses, routes and sysctls", *link.mtu),
                "1280 or more, or remove its IPv6 addresses first"));
        if (link.info_kind == "vlan" && link.link)
            if (const Link* parent = target.find(*link.link);
                parent && parent->mtu && *parent->mtu < *link.mtu)
                errors.push_back(no(link.ifname,
                                    fmt::format("MTU {} does not fit into {} of {} below it", *link.mtu,
                                                *parent->mtu, parent->ifname),
                                    fmt::format("give {} the MTU {} too", parent->ifname, *link.mtu)));
        if (link.info_kind == "bridge")
            for (const auto& port : target.links)
                if (port.master == link.ifname && !is_guest_link(port.ifname) && port.mtu &&
                    *port.mtu < *link.mtu)
                    errors.push_back(
                        no(link.ifname,
                           fmt::format("its port {} has MTU {}: larger frames would be dropped silently",
                                       port.ifname, *port.mtu),
                           fmt::format("give {} the MTU {} too", port.ifname, *link.mtu)));
        if (link.info_kind != "ipoib" || !link.ipoib) continue;
        const bool connected = link.ipoib->mode == "connected";
        if (connected && enhanced(safety, link) &&
            (!before || !before->ipoib || before->ipoib->mode != "connected"))
            errors.push_back(no(link.ifname,
                                "this card's IPoIB (enhanced, ConnectX-4 and later) has no connected mode",
                                "datagram mode with MTU 4092, or 2044 where the fabric carries 2048"));
        const std::uint32_t carried = port_mtu(safety, link);
        if (!connected && carried && *link.mtu > carried - 4)
            errors.push_back(no(
                link.ifname,
                fmt::format(
                    "in datagram mode MTU {} does not fit: the port's active MTU is {}, so {} at most",
                    *link.mtu, carried, carried - 4),
                enhanced(safety, link)
                    ? "raise the partition's MTU at the subnet manager (mtu=5 is 4096), if every switch can"
                    : "\"mode\": \"connected\" takes up to 65520; or raise the partition's MTU at the subnet "
                      "manager (mtu=5 is 4096), if every switch can"));
        if (connected && *link.mtu > 65520)
            errors.push_back(no(link.ifname, "connected mode takes an MTU up to 65520", "65520"));
    }
    return errors;
}

// --- bonds

Errors bond_ports(const Safety& safety) {
    Errors errors;
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

// --- addresses

// Whether later addresses go with the first one of their network is a matter of a sysctl (order.cpp).
Errors secondaries(const Safety& safety) {
    Errors errors;
    for (const auto& gone : safety.now.addresses) {
        const auto is_gone = [&](const AddressEntry& one) { return one.same_place(gone); };
        if (gone.local.is_v6() || std::ranges::any_of(safety.target.addresses, is_gone)) continue;
        const bool others = std::ranges::any_of(safety.target.addresses, [&](const AddressEntry& other) {
            return other.dev == gone.dev && other.length == gone.length &&
                   covers(gone.local, gone.length, other.local);
        });
        const std::string sysctl = fmt::format("net.ipv4.conf.{}.promote_secondaries", gone.dev);
        if (others && !safety.now.sysctls.contains(sysctl))
            errors.push_back(
                no(gone.text(),
                   fmt::format("{} could not be read, so it is not known whether the other addresses of "
                               "its network would go with it",
                               sysctl),
                   "make /proc/sys readable"));
    }
    return errors;
}

// --- what must not be lost

bool has_address_in(const Network& network, const std::string& text) {
    const auto prefix = IpPrefix::parse(text);
    if (!prefix) return false;
    return std::ranges::any_of(network.addresses, [&](const AddressEntry& address) {
        const Link* link = network.find(address.dev);
        return covers(prefix->address, prefix->length, address.local) && link && is_up(*link);
    });
}

Errors services(const Safety& safety) {
    Errors errors;
    for (const auto& network : safety.report.system.networks)
        if (has_address_in(safety.now, network.network) && !has_address_in(safety.target, network.network))
            errors.push_back(no(
                network.network,
                fmt::format("this node would have no address in the network of {} any more", network.service),
                "move that service to another network first; corosync takes a second link"));
    return errors;
}

Errors management(const Safety& safety) {
    Errors errors;
    if (safety.caller && !way_to(safety.now, *safety.caller).empty() &&
        way_to(safety.target, *safety.caller).empty())
        errors.push_back(no(safety.caller->text(),
                            "no route would lead back to where this connection comes from",
                            "keep a route to it, or make the change from the console"));
    const auto outside = [](const Network& network) {
        return !way_to(network, *IpAddress::parse("198.51.100.1")).empty();
    };
    if (outside(safety.now) && !outside(safety.target))
        errors.push_back(
            no("default", "no default route would be left", "name the new one in the same document"));
    return errors;
}

// Links that the kernel was told to boot over: ip=...:DEV:..., BOOTIF, rd.iscsi, ifname.
Errors boot_links(const Safety& safety) {
    Errors errors;
    for (const auto& word : safety.report.system.command_line) {
        if (!word.starts_with("ip=") && !word.starts_with("rd.") && !word.starts_with("nfsroot=") &&
            !word.starts_with("netroot="))
            continue;
        for (const auto& link : safety.now.links) {
            const Link* after = safety.target.find(link.ifname);
            const bool named = (":" + word + ":").find(":" + link.ifname + ":") != std::string::npos;
            if (named && (!after || *after != link))
                errors.push_back(no(link.ifname, fmt::format("the kernel boots over it ({})", word),
                                    "change it in the boot configuration, not while the root stands on it"));
        }
    }
    return errors;
}

using Check = Errors (*)(const Safety&);
constexpr Check checks[]{names,       infiniband_ports, mtus,       bond_ports,
                         secondaries, services,         management, boot_links};

}  // namespace

std::string way_to(const Network& network, const IpAddress& address) {
    int best = -1;
    std::uint64_t best_metric = 0;
    std::string dev;
    const auto offer = [&](int length, std::uint64_t metric, const std::string& through) {
        const Link* link = network.find(through);
        if (!link || !is_up(*link)) return;
        if (length < best || (length == best && metric >= best_metric)) return;
        best = length;
        best_metric = metric;
        dev = through;
    };
    for (const auto& own : network.addresses)
        if (!own.noprefixroute && covers(own.local, own.length, address))
            offer(own.length, own.metric, own.dev);
    for (const auto& route : network.routes)
        if (route.table == "main" && route.type == "unicast" && route.v6 == address.is_v6() &&
            (route.to.is_default() || covers(route.to.address, route.to.length, address)))
            offer(route.to.length, route.metric, route.dev);
    return dev;
}

std::vector<Error> refusals(const Safety& safety) {
    Errors all;
    for (const Check check : checks)
        std::ranges::move(check(safety), std::back_inserter(all));
    return all;
}

std::vector<std::string> cautions(const Safety& safety) {
    std::vector<std::string> words;
    const auto number = [&](const std::string& name) {
        const auto found = safety.target.sysctls.find(name);
        return found == safety.target.sysctls.end() || found->second.empty() ? -1 : found->second[0] - '0';
    };
    const auto& addresses = safety.target.addresses;
    for (std::size_t i = 0; i < addresses.size(); ++i)
        for (std::size_t k = i + 1; k < addresses.size(); ++k) {
            const auto &one = addresses[i], &other = addresses[k];
            if (one.dev == other.dev || one.local.is_v6() || one.length >= 32 || one.length != other.length ||
                !covers(one.local, one.length, other.local))
                continue;
            const auto touched = [&](const std::string& dev) {
                return std::ranges::find(safety.desired.links, dev, &DesiredLink::name) !=
                       safety.desired.links.end();
            };
            if (!touched(one.dev) && !touched(other.dev)) continue;
            const auto& preferred = other.metric < one.metric ? other : one;
            const auto& second = other.metric < one.metric ? one : other;
            words.push_back(
                fmt::format("{} and {} are in one network: packets leave through {} (metric {}), also "
                            "answers to what came in "
                            "through {}; and either answers ARP for both addresses, unless "
                            "net.ipv4.conf.all.arp_ignore is 1 and "
                            "arp_announce 2",
                            one.dev, other.dev, preferred.dev, preferred.metric, second.dev));
            for (const auto* address : {&one, &other}) {
                const int all = number("net.ipv4.conf.all.rp_filter");
                const int own = number(fmt::format("net.ipv4.conf.{}.rp_filter", address->dev));
                if (std::max(all, own) == 1)
                    words.push_back(
                        fmt::format("net.ipv4.conf.{}.rp_filter is 1 (strict): peers that talk to {} are "
                                    "dropped as soon as the way "
                                    "back leads through {}; 2 (loose) works",
                                    all == 1 ? "all" : address->dev, address->local.text(),
                                    address == &preferred ? second.dev : preferred.dev));
                if (all < 0 && own < 0)
                    words.push_back(fmt::format(
                        "rp_filter of {} could not be read: with 1 (strict), peers may be dropped",
                        address->dev));
            }
        }
    return words;
}

}  // namespace pve_rdma
