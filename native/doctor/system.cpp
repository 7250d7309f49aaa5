// The node around the cards: limits, name spaces, names, services.
#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"
#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"
#include "doctor/service_networks.h"
#include "doctor/words.h"

namespace pve_rdma::doctor {

namespace {

constexpr std::uint64_t mebibyte = 1u << 20;
constexpr Limit enough_memlock{"locked memory", 64.0 * mebibyte, "octets",
                               "a queue pair with its buffers takes some megabytes, a storage daemon many"};
constexpr Limit largest_ethernet_mtu{"MTU", 9216, "octets",
                                     "no Ethernet card goes further; IPoIB in connected mode does"};

// Root may lock what it likes (CAP_IPC_LOCK), and these do not use RDMA themselves.
bool runs_as_root(std::string_view process) {
    return process == "self" || process == "pvedaemon" || process == "pvestatd" ||
           process.starts_with("qemu");
}

void little_memory_to_lock(const Node& node, Findings& out) {
    const auto& limits = node.report.system.memlock;
    for (std::size_t i = 0; i < limits.size(); ++i) {
        const auto soft = parse_number<std::uint64_t>(limits[i].soft);
        if (!soft || static_cast<double>(*soft) >= enough_memlock.value) continue;
        out.add(limits[i].process, fmt::format("{} may lock {} KiB of memory: registering RDMA memory fails "
                                               "beyond that for processes that are not root's.",
                                               limits[i].process, *soft / 1024))
            .because(fmt::format("/system/memlock/{}/soft", i), limits[i].soft)
            .as(runs_as_root(limits[i].process) ? Severity::info : Severity::warning);
    }
}

void exclusive_name_spaces(const Node& node, Findings& out) {
    if (node.report.rdma.netns == "exclusive")
        out.add("rdma system",
                "RDMA devices belong to one network name space each: containers see none unless one is moved "
                "into theirs.")
            .because("/rdma/netns", node.report.rdma.netns);
}

void stale_name(const Node& node, Findings& out) {
    for (const auto& wanted : node.configured->links) {
        if (!wanted.name.starts_with("ib") || wanted.name.contains('.') || node.find_link(wanted.name))
            continue;
        std::string today;
        const Link* first = nullptr;
        for (const auto& link : node.report.links) {
            if (!link.ipoib || link.link) continue;
            if (!first) first = &link;
            today += (today.empty() ? "" : ", ") + link.ifname;
        }
        if (!first) continue;
        out.add(wanted.name,
                fmt::format("{} configures {}, which does not exist; the InfiniBand interfaces are: {}.",
                            wanted.place, wanted.name, today))
            .because(node.at(*first, "ifname"), first->ifname);
    }
}

void corosync_on_huge_mtu(const Node& node, Findings& out) {
    const Package* const knet = node.find_package("libknet1");
    const Package* const library = knet ? knet : node.find_package("libknet1t64");
    if (!library || version_numbers(library->version) >= std::vector<std::uint32_t>{1, 12}) return;
    for (const auto& [network, link] : service_links(node)) {
        if (!network->service.starts_with("corosync") || !link->mtu ||
            *link->mtu <= largest_ethernet_mtu.value)
            continue;
        out.add(link->ifname, fmt::format("{} runs over {} with MTU {}, and libknet1 {} does not get through "
                                          "its search for the path MTU there: the cluster may not form.",
                                          network->service, link->ifname, *link->mtu, library->version))
            .because(node.at(*link, "mtu"), link->mtu)
            .because(node.at(*library, "version"), library->version)
            .as(Certainty::possible);
    }
}

}  // namespace

std::vector<Rule> system_rules() {
    return {
        {.id = "SYS-01",
         .severity = Severity::warning,
         .title = "Little memory may be locked",
         .reads = "/system/memlock",
         .condition = "a process's limit is below the threshold; of root's processes, which are not bound by "
                      "it: for information",
         .meaning = "RDMA pins its buffers; beyond the limit registering memory fails with ENOMEM though "
                    "memory is free.",
         .remedy = "For a service: LimitMEMLOCK=infinity in its unit; for users: memlock in "
                   "/etc/security/limits.conf, and a new session.",
         .sources = "ib_umem_get(), drivers/infiniband/core/umem.c; NVIDIA/nccl-tests issue 206",
         .needs = {Part::devices, Part::system},
         .thresholds = {enough_memlock},
         .applies = has_rdma,
         .node = little_memory_to_lock},
        {.id = "SYS-02",
         .severity = Severity::info,
         .title = "RDMA devices belong to one name space",
         .reads = "/rdma/netns",
         .condition = "exclusive",
         .meaning = "A container sees no device unless it is given one; in shared mode all see all.",
         .remedy = "rdma system set netns shared, before any container starts.",
         .sources = "rdma-system(8)",
         .needs = {Part::devices},
         .applies = has_rdma,
         .node = exclusive_name_spaces},
        {.id = "SYS-03",
         .severity = Severity::warning,
         .title = "The file names an InfiniBand interface that has another name now",
         .reads = "/etc/network/interfaces; /links",
         .condition = "a stanza for an ib* interface that is not there, while others are",
         .meaning = "systemd or rdma-core renamed it by its slot: ib0 is ibp1s0.",
         .remedy = "The new name in the file, or a .link file that keeps the old one.",
         .sources = "Proxmox VE, network configuration; systemd.net-naming-scheme(7)",
         .needs = {Part::links, Part::configured},
         .node = stale_name},
        {.id = "SYS-04",
         .severity = Severity::error,
         .title = "corosync over an interface with a huge MTU",
         .reads = "/system/networks; /links/*/mtu; /system/packages libknet1",
         .condition = "a corosync link over an MTU above 9216, and libknet1 before 1.12",
         .meaning = "Old kronosnet gives up its path MTU search on 65520.",
         .remedy = "Put a corosync link on Ethernet, or set knet_mtu; upgrade libknet1.",
         .sources = "kronosnet pull request 242; in which release it came is not certain",
         .needs = {Part::links, Part::packages, Part::system},
         .thresholds = {largest_ethernet_mtu},
         .node = corosync_on_huge_mtu},
    };
}

}  // namespace pve_rdma::doctor
