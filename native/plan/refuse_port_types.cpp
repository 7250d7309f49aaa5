// What stands in the way of another type of a ConnectX-3 port. The driver takes all interfaces of the card
// away and makes them anew (mlx4_change_port_types()), so none of them may be in use.
#include <algorithm>

#include <fmt/format.h>

#include "boards/boards.h"
#include "network/port_type.h"
#include "plan/refuse_parts.h"

namespace pve_rdma {

namespace {

std::string type_in(const Network& network, const PortTypeName& name) {
    const auto found = network.sysctls.find(name.text());
    return found == network.sysctls.end() ? "" : found->second;
}

// Why a link is in use; none when it is not.
std::optional<std::string> use_of(const Network& network, const Link& link) {
    if (link.master) return fmt::format("is a port of {}", *link.master);
    if (is_up(link)) return "is up";
    for (const auto& address : network.addresses)
        if (address.dev == link.ifname) return fmt::format("has the address {}", address.local.text());
    for (const auto& other : network.links)
        if (other.link == link.ifname && other.ifname != link.ifname)
            return fmt::format("carries {}", other.ifname);
    return std::nullopt;
}

}  // namespace

Refusals refuse_port_types(const Safety& safety) {
    Refusals errors;
    for (const auto& want : safety.desired.port_types) {
        const PortTypeName name{want.device, want.port};
        const std::string subject = fmt::format("port {} of {}", want.port, want.device);
        if (type_in(safety.now, name) == type_in(safety.target, name)) continue;
        for (const auto& link : safety.now.links) {
            if (link.parentdev != want.device) continue;
            if (const auto use = use_of(safety.now, link))
                errors.push_back(
                    no(subject,
                       fmt::format("the driver takes all interfaces of the card away and makes them "
                                   "anew, and {} {}",
                                   link.ifname, *use),
                       fmt::format("take it out of use first: its addresses away, then \"up\": false")));
            if (std::ranges::find(safety.desired.links, link.ifname, &DesiredLink::name) !=
                safety.desired.links.end())
                errors.push_back(no(
                    subject, fmt::format("the document is about {} too, which goes with this", link.ifname),
                    "change the type alone, and the new interfaces in a second change"));
        }
        const PortTypeName first{want.device, 1}, second{want.device, 2};
        if (type_in(safety.target, first) == "eth" && type_in(safety.target, second) == "ib")
            errors.push_back(no(subject, "ConnectX-3 takes InfiniBand beside Ethernet on port 1 only",
                                "port 1 InfiniBand and port 2 Ethernet, or both alike"));
        if (want.type == "eth") continue;
        for (const auto& device : safety.report.devices) {
            const auto board =
                device.pci == want.device ? board_by_psid(device.board_id.value_or("")) : std::nullopt;
            if (board && board->protocols == BoardProtocols::ethernet)
                errors.push_back(no(subject,
                                    fmt::format("the firmware on this card (PSID {}, {}) knows Ethernet only",
                                                board->psid, board->name),
                                    "a firmware for both, where the maker has one"));
        }
    }
    return errors;
}

}  // namespace pve_rdma
