// What the commands in /etc/network/interfaces do, and what a reload or Proxmox's editor makes of them.
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number.h"
#include "doctor/findings.h"
#include "doctor/ip_network.h"
#include "doctor/node.h"
#include "doctor/rules.h"
#include "eni/address_text.h"
#include "eni/document.h"
#include "eni/hook_command.h"

namespace pve_rdma::doctor {

namespace {

bool is_ipv6(std::string_view text) {
    return text.contains(':');
}

std::string option_pointer(const ConfiguredStanza& in, const InterfacesOption& option) {
    return fmt::format("{}/options/{}/value", in.pointer, &option - in.stanza->options.data());
}

void rules_pile_up(const Node& node, Findings& out) {
    const Package* const tool = node.find_package("ifupdown2");
    if (!tool) return;
    for (const auto& in : node.configured->stanzas) {
        if (!in.stanza->automatic) continue;
        std::vector<const InterfacesOption*> options;
        std::vector<std::string_view> commands;
        for (const auto& option : in.stanza->options)
            if (option.value && eni::up_command_option(option.name)) {
                options.push_back(&option);
                commands.push_back(*option.value);
            }
        const auto piling = eni::piling_commands(commands);
        if (piling.empty()) continue;
        const InterfacesOption& first = *options[piling.front()];
        out.add(in.stanza->name,
                fmt::format("{}:{}: {} command{} of {} add{} a rule to a packet filter and do{} not look "
                            "whether it is there: every reload adds one copy more.",
                            in.file->path, first.line, piling.size(), piling.size() == 1 ? "" : "s",
                            in.stanza->name, piling.size() == 1 ? "s" : "", piling.size() == 1 ? "es" : ""))
            .because(option_pointer(in, first), first.value)
            .because(node.at(*tool, "version"), tool->version);
    }
}

// What is on the link of one interface, by the file and by what runs.
class OnLink {
  public:
    OnLink(const Node& node, const ConfiguredLink& link) {
        for (const auto index : link.stanzas)
            take(node.configured->stanzas[index]);
        for (const auto& address : node.report.addresses)
            if (address.ifname == link.name && address.local) {
                add(*address.local, address.prefixlen);
                if (address.address) add(*address.address, address.prefixlen);
            }
        for (const auto& route : node.report.routes)
            if (route.dev == link.name && !route.gateway && !route.dst.is_default())
                add(route.dst.address, route.dst.length);
    }

    bool known() const { return known_; }
    bool has_addresses() const { return !networks_.empty(); }
    bool reaches(const IpAddress& address) const {
        return std::ranges::any_of(networks_, [&](const IpPrefix& network) {
            return covers(network.address, network.length, address);
        });
    }

  private:
    void add(const IpAddress& address, std::uint32_t length) {
        networks_.push_back({address, static_cast<std::uint8_t>(length)});
    }

    void take(const ConfiguredStanza& in) {
        const auto& method = in.stanza->method;
        // Whatever else gives addresses: DHCP, a tunnel, a template.
        known_ &= in.stanza->inherits.empty() && (!method || method == "static" || method == "manual");
        std::optional<int> mask;
        for (const auto& option : in.stanza->options)
            if (option.name == "netmask" && option.value) mask = eni::parse_netmask(*option.value);
        for (const auto& option : in.stanza->options) {
            if (!option.value) {
                known_ = false;  // a secret
            } else if (option.name == "address" || option.name == "pointopoint") {
                take_address(*option.value, option.name == "address" ? mask : std::nullopt);
            } else if (eni::up_command_option(option.name)) {
                known_ &= !eni::may_add_address(*option.value);
                take_routes(*option.value, in.stanza->name);
            } else if (eni::canonical(option.name).starts_with("address-")) {
                known_ = false;  // address-virtual
            }
        }
    }

    void take_address(const std::string& value, std::optional<int> mask) {
        const auto slash = value.find('/');
        const auto address = IpAddress::parse(value.substr(0, slash));
        const auto length = slash == std::string::npos ? mask : eni::parse_netmask(value.substr(slash + 1));
        known_ &= address && length.value_or(0) <= address->length * 8;
        if (known_) add(*address, static_cast<std::uint32_t>(length.value_or(address->length * 8)));
    }

    // A route without a gateway puts its destination on the link.
    void take_routes(const std::string& command, const std::string& interface) {
        for (const auto& route : eni::added_routes(command, interface))
            if (const auto to = IpPrefix::parse(route.destination); !route.via && to)
                add(to->address, to->length);
    }

    bool known_ = true;
    std::vector<IpPrefix> networks_;
};

void next_hop_off_link(const Node& node, Findings& out) {
    std::map<const ConfiguredLink*, OnLink> seen;
    const auto judge = [&](const ConfiguredStanza& in, const InterfacesOption& option,
                           const eni::AddedRoute& route) {
        if (!route.via || route.onlink) return;
        const auto hop = IpAddress::parse(*route.via);
        if (!hop || (hop->is_v6() && hop->octets[0] == 0xfe)) return;  // link-local: on every link
        if (!route.dev) return;  // the kernel looks for the hop on all links
        const ConfiguredLink* const device = node.configured->find(*route.dev);
        if (!device) return;
        const OnLink& link = seen.try_emplace(device, node, *device).first->second;
        if (!link.known() || link.reaches(*hop)) return;
        out.add(
               *route.dev,
               fmt::format(
                   "{}:{}: the route to {} goes via {}, which is not on the link of {}: {}. The kernel "
                   "refuses it.",
                   in.file->path, option.line, route.destination, *route.via, *route.dev,
                   link.has_addresses() ? "it lies in none of its networks" : "the interface has no address"))
            .because(option_pointer(in, option), option.value)
            .because(device->pointer + "/name", device->name);
    };
    for (const auto& in : node.configured->stanzas) {
        if (!in.stanza->automatic && in.stanza->allow.empty()) continue;
        for (const auto& option : in.stanza->options)
            if (option.value && eni::up_command_option(option.name))
                for (const auto& route : eni::added_routes(*option.value, in.stanza->name))
                    judge(in, option, route);
    }
}

void made_by_command(const Node& node, Findings& out) {
    const Package* const tool = node.find_package("ifupdown2");
    const auto& sysctls = node.report.system.sysctls;
    const auto keeps = sysctls.find("net.ipv6.conf.all.keep_addr_on_down");
    if (!tool || (keeps != sysctls.end() && keeps->second == "1")) return;
    for (const auto& wanted : node.configured->links) {
        if (!wanted.automatic || !wanted.is_made_by_command || wanted.is_virtual) continue;
        for (const auto index : wanted.stanzas) {
            const auto& in = node.configured->stanzas[index];
            const auto address = std::ranges::find_if(in.stanza->options, [](const InterfacesOption& option) {
                return option.name == "address" && option.value && is_ipv6(*option.value);
            });
            if (address == in.stanza->options.end()) continue;
            out.add(wanted.name,
                    fmt::format("{}:{}: {} is made by a pre-up command, which a reload runs again: "
                                "when the link goes down and up, the kernel drops {} and nothing "
                                "gives it back.",
                                in.file->path, address->line, wanted.name, *address->value))
                .because(option_pointer(in, *address), address->value)
                .because(wanted.pointer + "/name", wanted.name)
                .as(Certainty::likely);
            break;
        }
    }
}

void commands_that_the_api_does_not_know(const Node& node, Findings& out) {
    if (!node.report.system.proxmox_version) return;
    for (const auto& in : node.configured->stanzas) {
        if (in.file != &node.report.interfaces_files.front()) continue;
        std::vector<std::string_view> names;
        const InterfacesOption* first = nullptr;
        std::size_t count = 0;
        for (const auto& option : in.stanza->options) {
            if (!eni::command_option(option.name)) continue;
            if (!first) first = &option;
            if (std::ranges::find(names, option.name) == names.end()) names.push_back(option.name);
            ++count;
        }
        if (!first) continue;
        out.add(in.stanza->name,
                fmt::format("{}:{}: {} has {} command{} ({}). Proxmox's API has no parameter for them: what "
                            "writes the interface anew through it loses them.",
                            in.file->path, first->line, in.stanza->name, count, count == 1 ? "" : "s",
                            fmt::join(names, ", ")))
            .because(fmt::format("{}/options/{}/name", in.pointer, first - in.stanza->options.data()),
                     first->name);
    }
}

}  // namespace

std::vector<Rule> interfaces_commands_rules() {
    return {
        {.id = "IFC-11",
         .severity = Severity::warning,
         .title = "A command that each reload runs once more",
         .reads = "/etc/network/interfaces, commands; /system/packages ifupdown2",
         .condition =
             "an up command adds a rule (iptables -A or -I, nft add rule), and none of the stanza tests "
             "for it, deletes it first or empties the chain",
         .meaning = "ifreload -a runs the up commands of unchanged interfaces too, and never their down "
                    "commands: the table grows with each change of the network, and a deleted rule stays.",
         .remedy =
             "Test before adding: iptables -C RULE || iptables -A RULE. Or keep the rule in the firewall's "
             "own file. What is there twice, delete by hand.",
         .sources = "CumulusNetworks/ifupdown2 issue 248; measured with ifupdown2 3.0.0",
         .needs = {Part::packages, Part::configured},
         .node = rules_pile_up},
        {.id = "IFC-12",
         .severity = Severity::error,
         .title = "A command's route with a next hop that is not on the link",
         .reads = "/etc/network/interfaces, addresses and commands; /addresses; /routes",
         .condition =
             "an up command adds a route via an address and a device, without onlink, and the address "
             "lies in no network of that device, by the file or as it runs",
         .meaning = "The kernel says \"Nexthop has invalid gateway\", the route is missing, and ifupdown2 "
                    "succeeds all the same.",
         .remedy =
             "Give the interface an address in the network of the next hop (and inet manual where it is to "
             "have none); or write onlink where the hop really is on the link.",
         .sources = "hetzneronline/community-content issue 814; measured with ifupdown2 3.0.0",
         .needs = {Part::configured},
         .node = next_hop_off_link},
        {.id = "IFC-13",
         .severity = Severity::warning,
         .title = "IPv6 on an interface that a command makes",
         .reads = "/etc/network/interfaces; /system/packages ifupdown2; /system/sysctls",
         .condition = "a pre-up command makes the interface (ip link add ...), it has an IPv6 address and no "
                      "option by which ifupdown2 makes it, and net.ipv6.conf.all.keep_addr_on_down is not 1",
         .meaning =
             "The kernel drops an interface's global IPv6 addresses when it goes down; IPv4 ones stay. A "
             "reload that takes it down and up leaves it without them.",
         .remedy = "Let ifupdown2 make the interface (link-type dummy ...), or set "
                   "net.ipv6.conf.all.keep_addr_on_down=1. Look at the addresses after each reload.",
         .sources = "CumulusNetworks/ifupdown2 issue 130; the kernel, addrconf_ifdown",
         .needs = {Part::packages, Part::configured},
         .node = made_by_command},
        {.id = "IFC-15",
         .severity = Severity::info,
         .title = "Commands that Proxmox's API cannot express",
         .reads = "/etc/network/interfaces, commands; /system/proxmox_version",
         .condition = "Proxmox VE, and a stanza of the main file with pre-up, up, post-up or down commands",
         .meaning =
             "The web interface keeps them where it changes an interface. A tool that deletes and makes "
             "the interface through the API cannot write them again.",
         .remedy =
             "Look at the stanza after each change by the API. Routes and rules stand safer as rdma-route "
             "and rdma-rule.",
         .sources = "bpg/terraform-provider-proxmox issue 1454",
         .needs = {Part::configured, Part::system},
         .node = commands_that_the_api_does_not_know},
    };
}

}  // namespace pve_rdma::doctor
