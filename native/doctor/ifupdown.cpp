// ifupdown itself: what the version that is installed cannot do, or would break.
#include <algorithm>

#include <fmt/format.h>

#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"
#include "doctor/words.h"

namespace pve_rdma::doctor {

namespace {

void chokes_on_infiniband(const Node& node, Findings& out) {
    const Package* const tool = node.find_package("ifupdown2");
    if (!tool || version_numbers(tool->version) >= std::vector<std::uint32_t>{3}) return;
    const auto link = std::ranges::find(node.report.links, "infiniband", &Link::link_type);
    if (link == node.report.links.end()) return;
    out.add(link->ifname, fmt::format("ifupdown2 {} stops at the 20-octet address of {}: applying any "
                                      "network change on this node fails.",
                                      tool->version, link->ifname))
        .because(node.at(*tool, "version"), tool->version)
        .because(node.at(*link, "link_type"), link->link_type)
        .as(Certainty::likely);
}

void cannot_reload(const Node& node, Findings& out) {
    if (!node.report.system.proxmox_version) return;
    const auto& packages = node.report.system.packages;
    const auto tool = std::ranges::find(packages, "ifupdown2", &Package::name);
    if (tool != packages.end() && tool->status == "installed") return;
    const bool broken =
        tool != packages.end() && tool->status != "config-files" && tool->status != "not-installed";
    auto& finding = out.add(
        "ifupdown2",
        broken ? fmt::format("ifupdown2 is {}: network changes cannot be applied.", tool->status)
               : "ifupdown2 is not installed: network changes stay in interfaces.new until the next boot.");
    if (broken)
        finding.because(node.at(*tool, "status"), tool->status)
            .do_this("dpkg --configure -a, then apt -f install.");
    else
        finding.because("/system/proxmox_version", node.report.system.proxmox_version);
}

// A bridge with ports of guests, and how many it has of them all over the node.
struct GuestPorts {
    const Link* first = nullptr;
    std::size_t count = 0;
};

GuestPorts guest_ports(const Node& node) {
    GuestPorts ports;
    for (const auto& link : node.report.links) {
        if (!is_guest(link) || !link.master) continue;
        const Link* const bridge = node.find_link(*link.master);
        if (!bridge || !bridge->bridge) continue;
        if (!ports.first) ports.first = &link;
        ++ports.count;
    }
    return ports;
}

// Proxmox's own builds leave guests' ports in their bridges.
bool is_proxmox_build(std::string_view version) {
    return version.contains("pmx") || version.contains("pve");
}

void guests_would_lose_their_bridge(const Node& node, Findings& out) {
    const Package* const tool = node.find_package("ifupdown2");
    if (!tool || is_proxmox_build(tool->version)) return;
    const auto [first, count] = guest_ports(node);
    if (!first) return;
    out.add(*first->master, fmt::format("{} port{} of guests ({}{}) would be taken out of {} bridge{} by the "
                                        "next reload: ifupdown2 {} is not Proxmox's build.",
                                        count, count == 1 ? "" : "s", first->ifname, count == 1 ? "" : " ...",
                                        count == 1 ? "its" : "their", count == 1 ? "" : "s", tool->version))
        .because(node.at(*tool, "version"), tool->version)
        .because(node.at(*first, "master"), first->master);
}

void cannot_write_a_metric(const Node& node, Findings& out) {
    const Package* const tool = node.find_package("ifupdown2");
    if (!tool) return;
    const auto version = version_numbers(tool->version);
    if (version < std::vector<std::uint32_t>{1, 2} || version >= std::vector<std::uint32_t>{1, 2, 6}) return;
    for (const auto& [file, stanza, pointer] : node.configured->stanzas) {
        const auto option = [&](std::string_view name) {
            return std::ranges::find(stanza->options, name, &InterfacesOption::name);
        };
        const auto metric = option("metric"), gateway = option("gateway");
        if (metric == stanza->options.end() || gateway == stanza->options.end() || !metric->value) continue;
        out.add(stanza->name,
                fmt::format("{}:{}: {} has a gateway with metric {}, and ifupdown2 {} cannot set one: the "
                            "default route is lost when it is applied.",
                            file->path, metric->line, stanza->name, *metric->value, tool->version))
            .because(node.at(*tool, "version"), tool->version)
            .because(fmt::format("{}/options/{}/value", pointer, metric - stanza->options.begin()),
                     metric->value);
    }
}

void guests_are_cut_off(const Node& node, Findings& out) {
    if (node.find_package("ifupdown2")) return;
    const Package* tool = node.find_package("ifupdown-ng");
    if (!tool) tool = node.find_package("ifupdown");
    const auto [first, count] = guest_ports(node);
    if (!tool || !first) return;
    out.add(*first->master, fmt::format("{} {} cannot reload: a change of {} takes ifdown and ifup, which "
                                        "make the bridge anew without its {} port{} of guests ({}{}).",
                                        tool->name, tool->version, *first->master, count,
                                        count == 1 ? "" : "s", first->ifname, count == 1 ? "" : " ..."))
        .because(node.at(*tool, "name"), tool->name)
        .because(node.at(*first, "master"), first->master);
}

}  // namespace

std::vector<Rule> ifupdown_rules() {
    return {
        {.id = "IFC-01",
         .severity = Severity::error,
         .title = "ifupdown2 that cannot read InfiniBand addresses",
         .reads = "/system/packages ifupdown2; /links/*/link_type",
         .condition = "a version before 3.0 and an InfiniBand link",
         .meaning =
             "It raises an error on the first link with a 20-octet address, and configures nothing after it.",
         .remedy = "Upgrade ifupdown2 before any change.",
         .sources = "CumulusNetworks/ifupdown2, address length 24; measured with 3.0.0",
         .needs = {Part::packages, Part::links},
         .node = chokes_on_infiniband},
        {.id = "IFC-02",
         .severity = Severity::error,
         .title = "Network changes cannot be applied",
         .reads = "/system/packages ifupdown2; /system/proxmox_version",
         .condition = "Proxmox VE without a fully installed ifupdown2",
         .meaning = "Apply in the web interface fails, and changes wait for the next boot.",
         .remedy = "apt install ifupdown2, after reading what waits in /etc/network/interfaces.new: the "
                   "installation itself reloads the network.",
         .sources = "Proxmox VE, PUT /nodes/{node}/network",
         .needs = {Part::packages, Part::system},
         .node = cannot_reload},
        {.id = "IFC-03",
         .severity = Severity::error,
         .title = "A reload would take guests off their bridges",
         .reads = "/system/packages ifupdown2; /links of guests",
         .condition = "guests' ports in a bridge, and an ifupdown2 that is not Proxmox's build",
         .meaning = "Debian's build has no default for bridge-ports-condone-regex: every ifreload detaches "
                    "tap, veth and fwpr ports, and says nothing.",
         .remedy = "Install Proxmox's ifupdown2, or set bridge-ports-condone-regex ^(tap|veth|fwpr) on every "
                   "bridge.",
         .sources = "measured with ifupdown2 3.0.0-1.1",
         .needs = {Part::packages, Part::links},
         .node = guests_would_lose_their_bridge},
        {.id = "IFC-10",
         .severity = Severity::error,
         .title = "ifupdown2 that cannot set a metric",
         .reads = "/system/packages ifupdown2; /etc/network/interfaces",
         .condition = "a version from 1.2.0 to before 1.2.6, and a stanza with gateway and metric",
         .meaning =
             "It calls ip with \"proto kernelmetric\", one word, which ip refuses: the stanza's default "
             "route is not made.",
         .remedy = "Upgrade ifupdown2 before the file is applied; until then leave the metric out.",
         .sources = "CumulusNetworks/ifupdown2 issue 252, mended in 1.2.6",
         .needs = {Part::packages, Part::configured},
         .node = cannot_write_a_metric},
        {.id = "IFC-17",
         .severity = Severity::warning,
         .title = "An ifupdown that cannot reload, under bridges of guests",
         .reads = "/system/packages ifupdown, ifupdown-ng, ifupdown2; /links of guests",
         .condition = "guests' ports in a bridge, another ifupdown installed, and not ifupdown2",
         .meaning =
             "ifdown takes the bridge away and ifup makes a new one; nothing puts the guests' ports back, "
             "and they stay without a network until they are started again.",
         .remedy =
             "Install Proxmox's ifupdown2 and use ifreload -a; or move the guests away before a bridge is "
             "changed. Never ifdown a bridge that has guests.",
         .sources = "ifupdown-ng issue 95; Proxmox VE, Network Configuration",
         .needs = {Part::packages, Part::links},
         .node = guests_are_cut_off},
    };
}

}  // namespace pve_rdma::doctor
