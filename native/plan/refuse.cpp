#include "plan/refuse.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "facts/ip_network.h"
#include "plan/refuse_parts.h"

namespace pve_rdma {

namespace {

// --- addresses

// Whether later addresses go with the first one of their network is a matter of a sysctl (order.cpp).
Refusals secondaries(const Safety& safety) {
    Refusals errors;
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

Refusals services(const Safety& safety) {
    Refusals errors;
    for (const auto& network : safety.report.system.networks)
        if (has_address_in(safety.now, network.network) && !has_address_in(safety.target, network.network))
            errors.push_back(no(
                network.network,
                fmt::format("this node would have no address in the network of {} any more", network.service),
                "move that service to another network first; corosync takes a second link"));
    return errors;
}

Refusals storage(const Safety& safety) {
    Refusals errors;
    for (const auto& disk : safety.disks) {
        const std::string now = way_to(safety.now, disk.address), then = way_to(safety.target, disk.address);
        if (!now.empty() && then.empty())
            errors.push_back(no(disk.address.text(),
                                fmt::format("no route would lead to {} any more", disk.what),
                                "keep a route to it, or take its disks out of use first"));
    }
    return errors;
}

Refusals management(const Safety& safety) {
    Refusals errors;
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
Refusals boot_links(const Safety& safety) {
    Refusals errors;
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

using Check = Refusals (*)(const Safety&);
constexpr Check checks[]{refuse_names,
                         refuse_infiniband,
                         refuse_mtus,
                         refuse_bond_ports,
                         refuse_partitions,
                         refuse_port_types,
                         refuse_lent_addresses,
                         refuse_lost_routes,
                         secondaries,
                         services,
                         storage,
                         management,
                         boot_links};

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
    Refusals all;
    for (const Check check : checks)
        std::ranges::move(check(safety), std::back_inserter(all));
    return all;
}

}  // namespace pve_rdma
