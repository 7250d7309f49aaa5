// ifupdown2 and /etc/network/interfaces: what would happen at the next reload.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"
#include "doctor/words.h"

namespace pve_rdma::doctor {

namespace {

bool is_proxmox(const Node& node) {
    return node.report.system.proxmox_version.has_value();
}

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
    if (!is_proxmox(node)) return;
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

// Proxmox's own builds leave guests' ports in their bridges.
bool is_proxmox_build(std::string_view version) {
    return version.contains("pmx") || version.contains("pve");
}

void guests_would_lose_their_bridge(const Node& node, Findings& out) {
    const Package* const tool = node.find_package("ifupdown2");
    if (!tool || is_proxmox_build(tool->version)) return;
    const Link* first = nullptr;
    std::size_t count = 0;
    for (const auto& link : node.report.links) {
        if (!is_guest(link) || !link.master) continue;
        const Link* const bridge = node.find_link(*link.master);
        if (!bridge || !bridge->bridge) continue;
        if (!first) first = &link;
        ++count;
    }
    if (!first) return;
    out.add(*first->master, fmt::format("{} port{} of guests ({}{}) would be taken out of {} bridge{} by the "
                                        "next reload: ifupdown2 {} is not Proxmox's build.",
                                        count, count == 1 ? "" : "s", first->ifname, count == 1 ? "" : " ...",
                                        count == 1 ? "its" : "their", count == 1 ? "" : "s", tool->version))
        .because(node.at(*tool, "version"), tool->version)
        .because(node.at(*first, "master"), first->master);
}

// As Proxmox VE up to 8 tells physical cards from their names.
bool proxmox_knows(std::string_view name) {
    const auto digits_after = [&](std::string_view prefix) {
        return name.starts_with(prefix) && name.size() > prefix.size() &&
               name.find_first_not_of("0123456789", prefix.size()) == std::string_view::npos;
    };
    return digits_after("eth") || digits_after("nic") || digits_after("if") ||
           (name.starts_with("en") && name.size() > 2) || (name.starts_with("ib") && name.size() > 2);
}

void unknown_name(const Node& node, Findings& out) {
    if (!is_proxmox(node)) return;
    const auto version = version_numbers(*node.report.system.proxmox_version);
    // From 9 on the kernel is asked what is physical.
    if (version.empty() || version.front() >= 9) return;
    for (const auto& link : node.report.links) {
        if (!link.parentdev || link.info_kind || proxmox_knows(link.ifname)) continue;
        out.add(link.ifname, fmt::format("Proxmox VE {} takes cards by their names, and {} fits none of its "
                                         "patterns: it is shown as unknown and cannot be chosen as a port.",
                                         *node.report.system.proxmox_version, link.ifname))
            .because(node.at(link, "ifname"), link.ifname)
            .because("/system/proxmox_version", node.report.system.proxmox_version);
    }
}

bool is_kernel_name(std::string_view name) {
    return name.starts_with("eth") && name.size() > 3 &&
           name.find_first_not_of("0123456789", 3) == std::string_view::npos;
}

void half_renamed(const Node& node, Findings& out) {
    std::map<std::string_view, std::vector<const Link*>> by_function;
    for (const auto& link : node.report.links)
        if (link.parentdev && !link.info_kind) by_function[*link.parentdev].push_back(&link);
    for (const auto& [address, links] : by_function) {
        const auto kernel =
            std::ranges::find_if(links, [](const Link* link) { return is_kernel_name(link->ifname); });
        const auto renamed =
            std::ranges::find_if(links, [](const Link* link) { return !is_kernel_name(link->ifname); });
        if (kernel == links.end() || renamed == links.end()) continue;
        out.add((*kernel)->ifname,
                fmt::format("{} and {} are two ports of one PCI function ({}): only the first was given its "
                            "name, the second kept the kernel's, and may change at any boot.",
                            (*renamed)->ifname, (*kernel)->ifname, address))
            .because(node.at(**kernel, "parentdev"), (*kernel)->parentdev)
            .because(node.at(**renamed, "parentdev"), (*renamed)->parentdev);
    }
}

// A port that comes to be by the file itself, or by its name (eno1.50), is not missing for good.
bool is_made(const Node& node, const std::string& port) {
    const ConfiguredLink* const own = node.configured->find(port);
    return port.contains('.') || (own && own->is_virtual);
}

void missing_port(const Node& node, Findings& out) {
    for (const auto& wanted : node.configured->links) {
        if (!wanted.automatic) continue;
        for (const auto& port : wanted.ports)
            if (!node.find_link(port) && !is_made(node, port))
                out.add(wanted.name, fmt::format("{}: {} names the port {}, which does not exist.",
                                                 wanted.place, wanted.name, port))
                    .because(wanted.pointer + "/name", wanted.name);
    }
}

void other_mtu(const Node& node, Findings& out) {
    constexpr std::uint32_t usual = 1500;
    for (const auto& wanted : node.configured->links) {
        const Link* const link = node.find_link(wanted.name);
        if (!link || !link->mtu || link->ipoib || !wanted.automatic) continue;  // IPoIB: MTU-04
        // Without a line of its own it follows its ports, its bond, or DHCP.
        const bool plain = !wanted.is_virtual && !wanted.dynamic && !link->info_kind && !link->master &&
                           link->link_type == "ether";
        if (!wanted.mtu && !plain) continue;
        if (*link->mtu == wanted.mtu.value_or(usual)) continue;
        out.add(link->ifname,
                fmt::format("{} runs with MTU {}, {} asks for {}: the next reload changes it.", link->ifname,
                            *link->mtu, wanted.place,
                            wanted.mtu ? fmt::format("{}", *wanted.mtu) : "none, which is 1500"))
            .because(node.at(*link, "mtu"), link->mtu)
            .because(wanted.pointer + "/name", wanted.name);
    }
}

void said_by_the_reader(const Node& node, Findings& out) {
    for (std::size_t f = 0; f < node.report.interfaces_files.size(); ++f) {
        const auto& file = node.report.interfaces_files[f];
        for (std::size_t d = 0; d < file.diagnostics.size(); ++d) {
            const auto& said = file.diagnostics[d];
            const auto severity = Severity::parse(said.severity);
            if (severity && *severity == Severity(Severity::info)) continue;
            auto& finding =
                out.add(fmt::format("{}:{}", file.path, said.line), said.message)
                    .as(severity ? *severity : Severity(Severity::warning))
                    .because(fmt::format("/interfaces_files/{}/diagnostics/{}/id", f, d), said.id);
            if (!said.hint.empty()) finding.do_this(said.hint);
        }
    }
}

void change_waits(const Node& node, Findings& out) {
    for (std::size_t f = 0; f < node.report.interfaces_files.size(); ++f)
        if (const auto& file = node.report.interfaces_files[f]; file.pending == true)
            out.add(
                   file.path + ".new",
                   "A change of the network made in the web interface waits to be applied: the next apply or "
                   "reboot, by whomever, makes it.")
                .because(fmt::format("/interfaces_files/{}/pending", f), *file.pending);
}

}  // namespace

std::vector<Rule> interfaces_rules() {
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
        {.id = "IFC-04",
         .severity = Severity::warning,
         .title = "A card whose name Proxmox does not know",
         .reads = "/links/*/ifname, parentdev; /system/proxmox_version",
         .condition = "Proxmox VE before 9, and a card named neither en*, ib*, ethN, nicN nor ifN",
         .meaning = "The web interface shows it as unknown.",
         .remedy = "A .link file with a name that fits: nic0, enstorage0.",
         .sources = "pve-common, INotify.pm of several ages",
         .needs = {Part::links, Part::system},
         .node = unknown_name},
        {.id = "IFC-05",
         .severity = Severity::warning,
         .title = "The second port of a card kept the kernel's name",
         .reads = "/links/*/ifname, parentdev",
         .condition = "two interfaces on one PCI function, one renamed and one called ethN",
         .meaning = "Both computed one name (mlx4 has both ports on one function). Configuration that names "
                    "the second does not match.",
         .remedy = "Pin both by their permanent addresses, with .link files.",
         .sources = "quantum/esos issue 132; systemd.net-naming-scheme(7)",
         .needs = {Part::links},
         .node = half_renamed},
        {.id = "IFC-06",
         .severity = Severity::error,
         .title = "A port that does not exist",
         .reads = "/etc/network/interfaces; /links",
         .condition = "a bridge or bond names a port that is no link",
         .meaning = "The card is gone or was renamed; the bridge comes up without it.",
         .remedy = "Write the card's name of today; pin names with .link files.",
         .sources = "measured with ifupdown2 3.0.0",
         .needs = {Part::links, Part::configured},
         .node = missing_port},
        {.id = "IFC-07",
         .severity = Severity::warning,
         .title = "A running MTU that the file does not ask for",
         .reads = "/etc/network/interfaces; /links/*/mtu",
         .condition = "they differ; a card without an mtu line is asked for 1500",
         .meaning = "The next reload changes it, at a moment that nobody chose.",
         .remedy = "Write the MTU that is meant into the file.",
         .sources = "measured with ifupdown2 3.0.0",
         .needs = {Part::links, Part::configured},
         .node = other_mtu},
        {.id = "IFC-08",
         .severity = Severity::error,
         .title = "A trap in the interfaces file",
         .reads = "/interfaces_files/*/diagnostics",
         .condition = "what pve-rdma config check says of the file, with its severity",
         .meaning = "ifupdown2 or Proxmox would drop, misread or refuse something that the file says.",
         .remedy = "pve-rdma config check shows the line.",
         .sources = "interfaces(5); measured with ifupdown2 3.0.0",
         .needs = {Part::configured},
         .node = said_by_the_reader},
        {.id = "IFC-09",
         .severity = Severity::warning,
         .title = "A staged network change waits",
         .reads = "/interfaces_files/*/pending",
         .condition = "/etc/network/interfaces.new exists",
         .meaning =
             "Proxmox writes changes there first. It goes live when anybody applies any change, and at "
             "the next boot.",
         .remedy = "Look at it in the web interface; apply it, or revert it.",
         .sources = "Proxmox VE, PUT and DELETE /nodes/{node}/network; pvenetcommit.service",
         .needs = {Part::configured},
         .node = change_waits},
    };
}

}  // namespace pve_rdma::doctor
