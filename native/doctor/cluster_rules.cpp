// What only shows when nodes are compared.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "doctor/census.h"
#include "doctor/cluster.h"
#include "doctor/findings.h"
#include "doctor/ip_network.h"
#include "doctor/node.h"
#include "doctor/rules.h"
#include "doctor/service_networks.h"
#include "doctor/subnet.h"
#include "doctor/words.h"

namespace pve_rdma::doctor {

namespace {

void firmware_differs(const Cluster& cluster, Findings& out) {
    struct Card {
        const Node* node;
        const RdmaDevice* device;
        std::vector<std::uint32_t> version;
    };
    std::map<std::string, std::vector<Card>> kinds;
    for (const auto& node : cluster.nodes())
        for (const auto& device : node.report.devices)
            if (device.fw_ver && device.hca_type && !is_virtual_function(node, device))
                kinds[*device.hca_type].push_back({&node, &device, version_numbers(*device.fw_ver)});
    for (const auto& [kind, cards] : kinds) {
        const Card& newest = *std::ranges::max_element(cards, {}, &Card::version);
        for (const auto& card : cards) {
            if (card.version >= newest.version) continue;
            out.add(card.device->name,
                    fmt::format("{} of {} ({}) has firmware {}; {} of {} has {}.", card.device->name,
                                card.node->name, kind, *card.device->fw_ver, newest.device->name,
                                newest.node->name, *newest.device->fw_ver))
                .because_of(card.node->name, card.node->at(*card.device, "fw_ver"), card.device->fw_ver)
                .because_of(newest.node->name, newest.node->at(*newest.device, "fw_ver"),
                            newest.device->fw_ver)
                .node = card.node->name;
        }
    }
}

// "in-tree", or the version of an out-of-tree stack.
std::string stack_of(const Node& node, const Module& core) {
    const bool foreign = node.module_loaded("mlx_compat") || (core.taint && core.taint->contains('O'));
    return foreign ? "out of tree " + core.version.value_or("") : "the kernel's";
}

void drivers_differ(const Cluster& cluster, Findings& out) {
    Census<std::string> kernels, stacks;
    for (const auto& node : cluster.nodes()) {
        if (node.report.system.kernel_release)
            kernels.add("kernel", *node.report.system.kernel_release, node, "/system/kernel_release",
                        "kernel");
        for (const char* name : {"mlx5_core", "mlx4_core"})
            if (const Module* const core = node.find_module(name); core && core->loaded)
                stacks.add(name, stack_of(node, *core), node, node.at(*core, "loaded"), name);
    }
    kernels.each_odd([&](const auto& odd, const auto& common, std::size_t count) {
        out.add(odd.subject, fmt::format("{} runs kernel {}; {} nodes run {}.", odd.node->name, odd.value,
                                         count, common.value))
            .because_of(odd.node->name, odd.path, odd.value)
            .as(Severity::info)
            .node = odd.node->name;
    });
    stacks.each_odd([&](const auto& odd, const auto& common, std::size_t count) {
        out.add(odd.subject, fmt::format("{} of {} is {}; on {} nodes it is {}.", odd.subject, odd.node->name,
                                         odd.value, count, common.value))
            .because_of(odd.node->name, odd.path, true)
            .node = odd.node->name;
    });
}

void speeds_differ(const Cluster& cluster, Findings& out) {
    Census<double> rates;
    for (const auto& node : cluster.nodes())
        for (const auto& ref : node.ports)
            if (is_counted(node, ref) && ref.port.rate_gbps && ref.device.hca_type)
                rates.add(*ref.device.hca_type + " " + ref.port.link_layer.value_or(""), *ref.port.rate_gbps,
                          node, node.at(ref, "rate_gbps"), ref.name());
    rates.each_odd([&](const auto& odd, const auto& common, std::size_t count) {
        if (odd.value >= common.value) return;
        out.add(odd.subject,
                fmt::format("The link of {} runs at {:g} Gb/s; {} links of such cards run at {:g}.",
                            odd.node->name, odd.value, count, common.value))
            .because_of(odd.node->name, odd.path, odd.value)
            .because_of(common.node->name, common.path, common.value)
            .as(Certainty::likely)
            .node = odd.node->name;
    });
}

void mtus_differ(const Cluster& cluster, Findings& out) {
    Census<std::uint32_t> mtus;
    for (const auto& node : cluster.nodes()) {
        std::unordered_set<std::string> told;
        for (const auto& address : node.report.addresses) {
            if (is_local_only(address) || address.prefixlen >= 8u * address.local->length - 1) continue;
            const Link* const link = node.find_link(address.ifname);
            if (!link || !link->mtu || link->ipoib || is_guest(*link)) continue;
            std::string network = network_text(address);
            if (told.insert(network).second)
                mtus.add(network, *link->mtu, node, node.at(*link, "mtu"), link->ifname);
        }
    }
    mtus.each_odd([&](const auto& odd, const auto& common, std::size_t count) {
        out.add(odd.subject,
                fmt::format("In {} {} of {} has MTU {}; {} of the network ({} of {} first) have {}.", odd.key,
                            odd.subject, odd.node->name, odd.value, count, common.subject, common.node->name,
                            common.value))
            .because_of(odd.node->name, odd.path, odd.value)
            .because_of(common.node->name, common.path, common.value)
            .as(Certainty::likely)
            .node = odd.node->name;
    });
}

// A card that has an RDMA device elsewhere and none here.
void lacking_device(const Cluster& cluster, Findings& out) {
    struct Kind {
        const Node* with = nullptr;
        std::vector<std::pair<const Node*, const PciDevice*>> without;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Kind> kinds;
    for (const auto& node : cluster.nodes()) {
        if (node.missing(Part::devices)) continue;
        for (const auto& pci : node.report.pci) {
            if (!is_card(pci) || pci.physical_function || pci.driver == "vfio-pci") continue;
            Kind& kind = kinds[{pci.vendor_id.value_or(0), pci.device_id.value_or(0)}];
            if (pci.rdma_devices.empty())
                kind.without.emplace_back(&node, &pci);
            else
                kind.with = &node;
        }
    }
    for (const auto& [id, kind] : kinds) {
        if (!kind.with) continue;
        for (const auto& [node, pci] : kind.without)
            out.add(pci->address,
                    fmt::format("The card {:04x}:{:04x} has an RDMA device on {} and none on {} (driver {}).",
                                id.first, id.second, kind.with->name, node->name,
                                pci->driver.value_or("none")))
                .because_of(node->name, node->at(*pci, "device_id"), pci->device_id)
                .node = node->name;
    }
}

void addresses_twice(const Cluster& cluster, Findings& out) {
    struct Owner {
        const Node* node;
        const Address* address;
    };
    std::map<IpAddress, Owner> owners;
    for (const auto& node : cluster.nodes())
        for (const auto& address : node.report.addresses) {
            if (is_local_only(address)) continue;
            const Link* const link = node.find_link(address.ifname);
            // A bridge without a card is a network of this host alone.
            if (!link ||
                (link->bridge && std::ranges::all_of(node.ports_of(link->ifname),
                                                     [](const Link* port) { return is_guest(*port); })))
                continue;
            const auto [entry, fresh] = owners.try_emplace(*address.local, Owner{&node, &address});
            const Owner& first = entry->second;
            if (fresh || first.node == &node) continue;
            out.add(address.ifname,
                    fmt::format("{} is the address of {} on {} and of {} on {}.", address.local->text(),
                                first.address->ifname, first.node->name, address.ifname, node.name))
                .because_of(first.node->name, first.node->at(*first.address, "local"), first.address->local)
                .because_of(node.name, node.at(address, "local"), address.local)
                .as(Certainty::likely);
        }
}

// Links that findings are about: by their own name, their RDMA port's, or their card's.
std::unordered_map<const Link*, const Finding*> troubled_links(const Node& node,
                                                               std::span<const Finding* const> findings) {
    std::unordered_map<const Link*, const Finding*> troubled;
    const auto note = [&](const Link* link, const Finding* finding) {
        if (!link) return;
        const auto [entry, fresh] = troubled.try_emplace(link, finding);
        if (!fresh && entry->second->severity < finding->severity) entry->second = finding;
    };
    for (const Finding* finding : findings) {
        note(node.find_link(finding->subject), finding);
        for (const auto& ref : node.ports)
            if (ref.name() == finding->subject)
                for (const Link* link : node.netdevs_of(ref))
                    note(link, finding);
        if (const PciDevice* const pci = node.find_pci(finding->subject))
            for (const auto& name : pci->netdevs)
                note(node.find_link(name), finding);
    }
    return troubled;
}

void services_at_risk(const Cluster& cluster, std::span<const Finding> found, Findings& out) {
    std::unordered_map<std::string_view, std::vector<const Finding*>> by_node;
    for (const auto& finding : found)
        if (finding.node && finding.severity >= Severity(Severity::warning))
            by_node[*finding.node].push_back(&finding);
    for (const auto& node : cluster.nodes()) {
        const auto own = by_node.find(node.name);
        if (own == by_node.end() || node.report.system.networks.empty()) continue;
        const auto troubled = troubled_links(node, own->second);
        for (const auto& [network, link] : service_links(node))
            for (const Link* below : links_below(node, *link)) {
                const auto trouble = troubled.find(below);
                if (trouble == troubled.end()) continue;
                const Finding& cause = *trouble->second;
                out.add(link->ifname,
                        fmt::format("{} ({}) runs over {}{}, and {} says of {}: {}", network->service,
                                    network->network, link->ifname,
                                    below == link ? "" : fmt::format(", which stands on {}", below->ifname),
                                    cause.rule, cause.subject, cause.message))
                    .because_of(node.name,
                                fmt::format("/system/networks/{}/network",
                                            network - node.report.system.networks.data()),
                                network->network)
                    .as(cause.severity)
                    .as(cause.certainty)
                    .do_this(cause.remedy)
                    .node = node.name;
                break;
            }
    }
}

}  // namespace

std::vector<Rule> cluster_rules() {
    return {
        {.id = "CLUSTER-01",
         .severity = Severity::warning,
         .title = "Cards of one kind with different firmware",
         .reads = "/devices/*/fw_ver, hca_type of all nodes",
         .condition = "older than the newest on a card of the same kind in the cluster",
         .meaning = "Nodes behave differently, and one of them has faults that the others no longer have.",
         .remedy = "Flash by hand, one node at a time, with the image for its own PSID; no vendor driver is "
                   "needed.",
         .sources = "a public log of three Proxmox nodes with ConnectX-3",
         .cluster = firmware_differs},
        {.id = "CLUSTER-02",
         .severity = Severity::warning,
         .title = "Nodes with different drivers",
         .reads = "/system/kernel_release, modules of all nodes",
         .condition = "an out-of-tree RDMA stack on some nodes; a different kernel: for information",
         .meaning = "Defaults differ between stacks: IPoIB modes, traffic classes, RoCE versions.",
         .remedy = "The same stack on all nodes, best the kernel's own.",
         .sources = "release notes of MLNX_OFED",
         .cluster = drivers_differ},
        {.id = "CLUSTER-03",
         .severity = Severity::warning,
         .title = "A link is slower than the others like it",
         .reads = "/devices/*/ports/*/rate_gbps of all nodes",
         .condition = "an active port below the rate that most ports of such cards have",
         .meaning =
             "A cable or port that holds one node back, and with it storage that waits for the slowest.",
         .remedy = "Compare cable and switch port with a node that is fast.",
         .sources = "experience",
         .cluster = speeds_differ},
        {.id = "CLUSTER-05",
         .severity = Severity::error,
         .title = "One network, different MTUs",
         .reads = "/addresses, /links/*/mtu of all nodes",
         .condition = "interfaces with addresses of one network differ in MTU between nodes (IPoIB: MTU-07)",
         .meaning = "Small packets pass and large ones vanish: clusters look healthy while storage hangs.",
         .remedy = "The same MTU on every node and on the switch; then test with packets of full size.",
         .sources = "ceph/ceph pull request 16059; xapi-project/xen-api pull request 7213",
         .cluster = mtus_differ},
        {.id = "CLUSTER-08",
         .severity = Severity::warning,
         .title = "A card lacks the RDMA device that others have",
         .reads = "/pci/*/rdma_devices of all nodes",
         .condition = "the same kind of card has a device on another node and none here",
         .meaning = "A module is missing here, or this card's firmware was refused.",
         .remedy =
             "Compare firmware and PSID with a good node; load mlx5_ib or mlx4_ib; read the kernel log.",
         .sources = "a public report of a cluster with cards of different makers",
         .cluster = lacking_device},
        {.id = "CLUSTER-09",
         .severity = Severity::error,
         .title = "A cluster service runs over a link with a finding",
         .reads = "/system/networks; all findings",
         .condition = "corosync, Ceph or migration uses an address on a link that a warning or error is "
                      "about, or that stands on one",
         .meaning = "What is wrong with the link is wrong with the service.",
         .remedy = "That of the finding it rests on.",
         .sources = "corosync.conf(5), ceph.conf, datacenter.cfg(5)",
         .afterwards = services_at_risk},
        {.id = "CLUSTER-10",
         .severity = Severity::error,
         .title = "An address twice",
         .reads = "/addresses of all nodes",
         .condition = "two nodes have one address, on links that are no bridges for guests alone",
         .meaning = "Peers reach now one, now the other.",
         .remedy = "Another address for one of them.",
         .sources = "RFC 5227",
         .cluster = addresses_twice},
    };
}

}  // namespace pve_rdma::doctor
