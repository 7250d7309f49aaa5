#include "path/mtu_chain.h"

#include "base/number.h"

namespace pve_rdma {

namespace {

constexpr std::uint32_t ipoib_header = 4;  // RFC 4391, 6

std::string kind_of(const Link& link) {
    return link.info_kind.value_or(link.link_type);
}

bool is_up(const Link& link) {
    return std::ranges::find(link.flags, "UP") != link.flags.end();
}

// Veth and tun links in a bridge lead to containers and virtual machines.
bool is_guest(const Link& link) {
    return link.info_kind == "veth" || link.info_kind == "tun";
}

std::uint32_t vxlan_overhead(const Vxlan& vxlan) {
    return vxlan.remote6 || vxlan.local6 || vxlan.group6 ? 70 : 50;
}

// A hop below `above`, `overhead` octets further in.
MtuHop below(const MtuHop& above, std::string name, std::string kind, std::string role, std::uint32_t mtu,
             std::uint32_t overhead) {
    return {.name = std::move(name),
            .kind = std::move(kind),
            .depth = above.depth + 1,
            .role = std::move(role),
            .mtu = mtu,
            .limit = mtu > overhead ? mtu - overhead : 0,
            .counts = above.counts,  // what does not count leads nowhere that does
            .note = {}};
}

void add_note(MtuHop& hop, std::string note) {
    hop.note = hop.note ? *hop.note + "; " + note : std::move(note);
}

bool is_of_port(const Port& port, const Link& link) {
    const auto has = [&](const std::string& name) {
        return port.netdev == name || std::ranges::find(port.netdevs, name) != port.netdevs.end();
    };
    return has(link.ifname) || (link.link && has(*link.link));
}

const IpoibGroup* group_of(const Port& port, const Link& link) {
    if (!port.subnet || !link.ipoib || !link.ipoib->key) return nullptr;
    const auto key = parse_number<std::uint16_t>(*link.ipoib->key, 0);
    if (!key) return nullptr;
    for (const auto& group : port.subnet->ipoib_groups)
        if (group.group && group.pkey.partition() == (*key & 0x7fff)) return &group;
    return nullptr;
}

std::string remedy_for(const MtuChain& chain, const MtuHop& smallest) {
    const std::string lower =
        fmt::format("set the MTU of {} to {}, on every node of that network", chain.link, smallest.limit);
    if (smallest.kind == "ib_group")
        return fmt::format("{}; or raise the group where the subnet manager is: partitions.conf, mtu=5",
                           lower);
    if (smallest.kind == "ib_port")
        return fmt::format("{}; the subnet manager sets the port's from what its cable's two ends can",
                           lower);
    return fmt::format("raise the MTU of {} to {}, if all behind it carries that; else {}", smallest.name,
                       smallest.mtu + (chain.sent - smallest.limit), lower);
}

}  // namespace

MtuChains::MtuChains(const NodeReport& report) : report_(report) {
    for (const auto& link : report.links) {
        links_.emplace(link.ifname, &link);
        if (link.master) ports_[*link.master].push_back(&link);
    }
}

std::optional<MtuChain> MtuChains::under(const std::string& name) const {
    const auto top = links_.find(name);
    if (top == links_.end()) return std::nullopt;
    MtuChain chain{.link = name};
    for (const auto& address : report_.addresses)
        if (address.ifname == name && address.local)
            chain.addresses.push_back(fmt::format("{}/{}", address.local->text(), address.prefixlen));
    const Link& link = *top->second;
    const std::uint32_t mtu = link.mtu.value_or(0);
    chain.sent = mtu;
    std::vector<const Link*> seen;
    walk(chain, link, {.name = name, .kind = kind_of(link), .mtu = mtu, .limit = mtu}, seen);
    conclude(chain);
    return chain;
}

std::optional<MtuChain> MtuChains::under(const Route& route) const {
    auto chain = route.dev ? under(*route.dev) : std::nullopt;
    if (!chain || !route.metrics || !route.metrics->mtu || route.expires) return chain;
    const std::uint32_t mtu = *route.metrics->mtu;
    chain->sent = std::min(chain->sent, mtu);
    chain->hops.insert(chain->hops.begin(), {.name = "route", .kind = "route", .mtu = mtu, .limit = mtu});
    conclude(*chain);
    return chain;
}

std::vector<MtuChain> MtuChains::all() const {
    std::vector<MtuChain> chains;
    for (const auto& link : report_.links) {
        const bool has_address = std::ranges::any_of(report_.addresses, [&](const Address& address) {
            return address.ifindex == link.ifindex && !(address.family == "inet6" && address.scope == "link");
        });
        if (has_address && is_up(link)) chains.push_back(*under(link.ifname));
    }
    return chains;
}

// The link below, in this namespace.
const Link* MtuChains::lower_of(const Link& link) const {
    const auto& name = link.vxlan && link.vxlan->link ? link.vxlan->link : link.link;
    if (!name || link.link_netnsid) return nullptr;
    const auto found = links_.find(*name);
    return found == links_.end() ? nullptr : found->second;
}

void MtuChains::walk(MtuChain& chain, const Link& link, MtuHop hop, std::vector<const Link*>& seen) const {
    // Links may point at each other (veth pairs), and a port belongs to one master only.
    if (std::ranges::find(seen, &link) != seen.end()) return;
    seen.push_back(&link);
    if (!is_up(link) && hop.depth > 0) {
        hop.counts = false;
        add_note(hop, "down");
    }
    chain.hops.push_back(hop);
    const std::uint32_t overhead = hop.mtu - std::min(hop.mtu, hop.limit);
    const auto into = [&](const Link& lower, const std::string& role, std::uint32_t more,
                          const std::optional<std::string>& note = {}) {
        MtuHop next = below(hop, lower.ifname, kind_of(lower), role, lower.mtu.value_or(0), overhead + more);
        if (note) add_note(next, *note);
        walk(chain, lower, std::move(next), seen);
    };
    const Link* lower = lower_of(link);
    const std::string kind = kind_of(link);
    if (kind == "bridge") {
        below_bridge(chain, link, hop, seen);
    } else if (kind == "bond") {
        if (const auto ports = ports_.find(link.ifname); ports != ports_.end())
            for (const Link* port : ports->second)
                into(*port, "port of " + link.ifname, 0,
                     port->bond_port && port->bond_port->state == "BACKUP" ? std::optional("backup")
                                                                           : std::nullopt);
    } else if (kind == "veth") {
        if (lower && hop.depth == 0) into(*lower, "other end of " + link.ifname, 0);
    } else if (kind == "vxlan") {
        const std::uint32_t tunnel = link.vxlan ? vxlan_overhead(*link.vxlan) : 50;
        if (lower) into(*lower, fmt::format("carries {} (+{} octets)", link.ifname, tunnel), tunnel);
    } else if (lower && lower != &link) {
        into(*lower, "below " + link.ifname, 0);
    }
    if (link.link_type == "infiniband") below_ipoib(chain, link, hop);
}

void MtuChains::below_bridge(MtuChain& chain, const Link& bridge, const MtuHop& hop,
                             std::vector<const Link*>& seen) const {
    const auto found = ports_.find(bridge.ifname);
    if (found == ports_.end()) return;
    const bool all_guests =
        std::ranges::all_of(found->second, [](const Link* port) { return is_guest(*port); });
    const std::uint32_t overhead = hop.mtu - std::min(hop.mtu, hop.limit);
    for (const Link* port : found->second) {
        MtuHop next = below(hop, port->ifname, kind_of(*port), "port of " + bridge.ifname,
                            port->mtu.value_or(0), overhead);
        if (!all_guests && is_guest(*port)) {
            next.counts = false;
            add_note(next, "leads to a guest");
        }
        walk(chain, *port, std::move(next), seen);
    }
}

void MtuChains::below_ipoib(MtuChain& chain, const Link& link, const MtuHop& hop) const {
    const bool connected = link.ipoib && link.ipoib->mode == "connected";
    const auto add = [&](MtuHop next) {
        if (connected) {
            next.counts = false;
            add_note(next, "connected mode: binds multicast only");
        }
        chain.hops.push_back(std::move(next));
    };
    const std::uint32_t overhead = hop.mtu - std::min(hop.mtu, hop.limit) + ipoib_header;
    for (const auto& device : report_.devices)
        for (const auto& port : device.ports) {
            if (!is_of_port(port, link)) continue;
            if (const auto* group = group_of(port, link))
                add(below(hop, "group of P_Key " + group->pkey.text(), "ib_group",
                          "broadcast group of " + link.ifname, group->group->mtu, overhead));
            if (port.active_mtu)
                add(below(hop, fmt::format("{} port {}", device.name, port.number), "ib_port",
                          "carries " + link.ifname, *port.active_mtu, overhead));
        }
}

void MtuChains::conclude(MtuChain& chain) const {
    const MtuHop* smallest = nullptr;
    for (const auto& hop : chain.hops)
        if (hop.counts && hop.limit && (!smallest || hop.limit < smallest->limit)) smallest = &hop;
    chain.remedy.reset();
    if (!smallest) {
        chain.message = "no MTU is known";
        return;
    }
    chain.mtu = smallest->limit;
    chain.smallest = smallest->name;
    if (chain.mtu >= chain.sent) {
        chain.message = smallest->kind == "route" ? fmt::format("the route is given {}", chain.mtu)
                                                  : fmt::format("every hop carries {}", chain.mtu);
        return;
    }
    chain.message = fmt::format("{} is sent, but {} ({}) carries no more than {}", chain.sent, smallest->name,
                                smallest->role, chain.mtu);
    if (smallest->mtu != smallest->limit)
        chain.message += fmt::format(": its MTU of {} less {} octets of headers", smallest->mtu,
                                     smallest->mtu - smallest->limit);
    chain.remedy = remedy_for(chain, *smallest);
}

}  // namespace pve_rdma
