// MTUs that do not fit: into what is below, into the port, into the mode.
#include <algorithm>

#include <fmt/format.h>

#include "facts/guest_link.h"
#include "plan/refuse_parts.h"

namespace pve_rdma {

namespace {

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

bool changes(const Safety& safety, const Link& link) {
    const Link* before = safety.now.find(link.ifname);
    return !before || before->mtu != link.mtu || before->master != link.master ||
           (before->ipoib && link.ipoib && before->ipoib->mode != link.ipoib->mode);
}

}  // namespace

Refusals refuse_mtus(const Safety& safety) {
    Refusals errors;
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
            std::ranges::any_of(
                safety.report.addresses,
                [&](const Address& address) {
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

}  // namespace pve_rdma
