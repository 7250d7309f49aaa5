// InfiniBand ports of several nodes, compared: partitions, LIDs, subnets.
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

void partitions_differ(const Cluster& cluster, Findings& out) {
    Census<std::string> tables;
    for (const auto& node : cluster.nodes())
        for (const auto& ref : node.ports) {
            if (!is_infiniband(ref) || !is_counted(node, ref) || ref.port.pkeys.empty()) continue;
            std::set<std::string> keys;
            for (const auto& entry : ref.port.pkeys)
                keys.insert(PKey{static_cast<std::uint16_t>(entry.pkey.partition() | 0x8000)}.text());
            tables.add(subnet_of(ref), fmt::format("{}", fmt::join(keys, " ")), node,
                       node.at(ref, "pkeys/0/pkey"), ref.name());
        }
    tables.each_odd([&](const auto& odd, const auto& common, std::size_t count) {
        out.add(odd.subject, fmt::format("{} is in the partitions {}; {} ports of the subnet are in {}.",
                                         odd.node->name, odd.value, count, common.value))
            .because_of(odd.node->name, odd.path, odd.value.substr(0, odd.value.find(' ')))
            .as(Certainty::likely)
            .node = odd.node->name;
        out.found().back().evidence.back().value.reset();
    });
}

void duplicate_lids(const Cluster& cluster, Findings& out) {
    struct Owner {
        const Node* node;
        const PortRef* ref;
    };
    std::unordered_map<std::string, Owner> owners;
    for (const auto& node : cluster.nodes())
        for (const auto& ref : node.ports) {
            if (!is_infiniband(ref) || ref.port.state != "ACTIVE") continue;
            const std::uint32_t lid = ref.port.lid.value_or(0);
            if (lid == 0 || lid >= 0xc000 || is_virtual_function(node, ref.device)) continue;
            const auto [entry, fresh] =
                owners.try_emplace(fmt::format("{} {}", subnet_of(ref), lid), Owner{&node, &ref});
            const Owner& first = entry->second;
            if (fresh || first.ref->port.port_guid == ref.port.port_guid) continue;
            const bool one_subnet = ref.port.subnet && ref.port.subnet->sm;
            auto& finding =
                out.add(ref.name(), fmt::format("LID {} is that of {} of {} and of {} of {}{}.", lid,
                                                first.ref->name(), first.node->name, ref.name(), node.name,
                                                one_subnet ? ", in one subnet"
                                                           : "; that is a fault if they are in one subnet"))
                    .because_of(first.node->name, first.node->at(*first.ref, "lid"), first.ref->port.lid)
                    .because_of(node.name, node.at(ref, "lid"), ref.port.lid);
            if (!one_subnet) finding.as(Severity::info).as(Certainty::possible);
        }
}

void several_subnets(const Cluster& cluster, Findings& out) {
    std::map<std::string, std::set<const Node*>> subnets;
    std::set<const Node*> all;
    for (const auto& node : cluster.nodes())
        for (const auto& ref : node.ports)
            if (is_infiniband(ref) && is_counted(node, ref) && ref.port.subnet && ref.port.subnet->sm) {
                subnets[subnet_of(ref)].insert(&node);
                all.insert(&node);
            }
    if (subnets.size() < 2) return;
    const bool everywhere =
        std::ranges::all_of(subnets, [&](const auto& subnet) { return subnet.second.size() == all.size(); });
    std::vector<std::string> parts;
    for (const auto& [subnet, nodes] : subnets)
        parts.push_back(fmt::format("{} with {} node{}, {} among them", subnet, nodes.size(),
                                    nodes.size() == 1 ? "" : "s", (*nodes.begin())->name));
    auto& finding = out.add("subnets", fmt::format("The nodes' InfiniBand ports are in {} subnets: {}.",
                                                   subnets.size(), fmt::join(parts, "; ")));
    for (const auto& [subnet, nodes] : subnets)
        for (const auto& ref : (*nodes.begin())->ports)
            if (ref.port.subnet && ref.port.subnet->sm && subnet_of(ref) == subnet) {
                finding.because_of((*nodes.begin())->name, (*nodes.begin())->at(ref, "subnet/sm/guid"),
                                   ref.port.subnet->sm->guid);
                break;
            }
    if (everywhere) finding.as(Severity::info);
}

}  // namespace

std::vector<Rule> cluster_subnet_rules() {
    return {
        {.id = "CLUSTER-04",
         .severity = Severity::warning,
         .title = "Nodes in different partitions",
         .reads = "/devices/*/ports/*/pkeys of all nodes",
         .condition = "a port's set of partitions is not that of most ports of its subnet",
         .meaning = "It cannot talk to the others in the partition that it lacks.",
         .remedy = "Name the port's GUID in opensm's partitions.conf, and restart opensm.",
         .sources = "opensm(8), partition configuration",
         .cluster = partitions_differ},
        {.id = "CLUSTER-06",
         .severity = Severity::error,
         .title = "A LID twice",
         .reads = "/devices/*/ports/*/lid, port_guid, subnet/sm of all nodes",
         .condition = "two ports with different GUIDs and one LID in one subnet; where it is not known to be "
                      "one: for information",
         .meaning = "Packets for one reach the other: two subnets were joined, or two managers gave LIDs.",
         .remedy = "One subnet manager; restart it, so that it gives LIDs anew.",
         .sources = "IBA vol. 1, 4.1.3",
         .cluster = duplicate_lids},
        {.id = "CLUSTER-07",
         .severity = Severity::warning,
         .title = "Nodes in different subnets",
         .reads = "/devices/*/ports/*/subnet/sm of all nodes",
         .condition = "active ports have different masters, and not every node is in every subnet (else for "
                      "information)",
         .meaning = "Nodes of different subnets do not reach each other over InfiniBand.",
         .remedy = "Connect the switches, or mean it.",
         .sources = "IBA vol. 1, 14",
         .cluster = several_subnets},
    };
}

}  // namespace pve_rdma::doctor
