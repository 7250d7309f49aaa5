// Names and links that /etc/network/interfaces and the machine do not agree on.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"
#include "doctor/words.h"
#include "eni/link_roles.h"
#include "eni/placement.h"

namespace pve_rdma::doctor {

namespace {

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
    if (!node.report.system.proxmox_version) return;
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

bool exists(const Node& node, const std::string& name) {
    if (node.find_link(name) || node.configured->find(name)) return true;
    const auto below = below_vlan(name);  // a VLAN of a VLAN comes to be with it
    return below && exists(node, *below);
}

void vlan_without_device(const Node& node, Findings& out) {
    const auto judge = [&](const ConfiguredLink& wanted, const std::string& vlan, const std::string& below) {
        // P_Key children are no VLANs: what is wrong with their names, the reader says.
        if (node.find_link(vlan) || exists(node, below) || eni::infiniband_name(below)) return;
        out.add(vlan,
                fmt::format("{}: the VLAN {} lies on {}, which does not exist.", wanted.place, vlan, below))
            .because(wanted.pointer + "/name", wanted.name);
    };
    for (const auto& wanted : node.configured->links) {
        if (!wanted.automatic) continue;
        if (wanted.below && !wanted.is_made_by_command) judge(wanted, wanted.name, *wanted.below);
        for (const auto& port : wanted.ports)
            if (const auto below = below_vlan(port); below && !node.configured->find(port))
                judge(wanted, port, *below);
    }
}

// Proxmox's own, from its software-defined networks, and ours are not meant to be seen in its editor.
bool is_known_to_be_sourced(std::string_view path) {
    return path == eni::own_file || path == "/etc/network/interfaces.d/sdn";
}

void unseen_by_proxmox(const Node& node, Findings& out) {
    if (!node.report.system.proxmox_version) return;
    const auto& files = node.report.interfaces_files;
    std::set<std::string_view> in_main;
    for (const auto& stanza : files.front().stanzas)
        in_main.insert(stanza.name);
    for (std::size_t f = 1; f < files.size(); ++f) {
        if (is_known_to_be_sourced(files[f].path)) continue;
        std::vector<std::string_view> names;
        std::size_t first = 0;
        for (std::size_t s = 0; s < files[f].stanzas.size(); ++s) {
            const auto& stanza = files[f].stanzas[s];
            if (stanza.kind != "iface" || in_main.contains(stanza.name) ||
                std::ranges::find(names, stanza.name) != names.end())
                continue;
            if (names.empty()) first = s;
            names.push_back(stanza.name);
        }
        if (names.empty()) continue;
        out.add(files[f].path, fmt::format("{} stand{} in a sourced file: Proxmox's web interface does not "
                                           "read it, and cannot show or change {}.",
                                           fmt::join(names, ", "), names.size() == 1 ? "s" : "",
                                           names.size() == 1 ? "it" : "them"))
            .because(fmt::format("/interfaces_files/{}/stanzas/{}/name", f, first), names.front());
    }
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
        {.id = "IFC-14",
         .severity = Severity::info,
         .title = "Interfaces that Proxmox's editor does not see",
         .reads = "/interfaces_files; /system/proxmox_version",
         .condition = "Proxmox VE, and a stanza that stands in a sourced file only; the files of its "
                      "software-defined networks and of pve-rdma are not counted",
         .meaning =
             "Proxmox keeps the source line, and reads the main file alone: such an interface cannot be "
             "chosen for a guest in the web interface, and its name can be given away a second time.",
         .remedy = "Keep bridges, bonds and cards that Proxmox is to use in /etc/network/interfaces.",
         .sources = "the header of Proxmox's /etc/network/interfaces; PVE::INotify",
         .needs = {Part::configured, Part::system},
         .node = unseen_by_proxmox},
        {.id = "IFC-16",
         .severity = Severity::error,
         .title = "A VLAN on a device that does not exist",
         .reads = "/etc/network/interfaces; /links",
         .condition = "the device before the point, or of vlan-raw-device, is neither a link nor in the file",
         .meaning = "The VLAN cannot be made, and what stands on it stays without that port.",
         .remedy =
             "Name it after its device (eno1.10), or give it any name, as vlan10, with vlan-raw-device eno1.",
         .sources = "bpg/terraform-provider-proxmox issue 1531",
         .needs = {Part::links, Part::configured},
         .node = vlan_without_device},
    };
}

}  // namespace pve_rdma::doctor
