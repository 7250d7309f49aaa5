#include "eni/link_roles.h"

#include <algorithm>
#include <cctype>

namespace pve_rdma::eni {

namespace {

bool sets_connected(const Stanza& stanza) {
    if (const Option* mode = stanza.find("ib-mode")) return mode->value == "connected";
    for (const auto& option : stanza.options)
        if (option.value.find("connected") != std::string::npos &&
            option.value.find("/mode") != std::string::npos)
            return true;
    return false;
}

}  // namespace

bool infiniband_name(std::string_view name) {
    if (!name.starts_with("ib") || name.size() < 3) return false;
    name.remove_prefix(2);
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    if (digit(name[0])) return std::ranges::all_of(name, digit);
    return name.size() > 1 && (name[0] == 'p' || name[0] == 's' || name[0] == 'o' || name[0] == 'P') &&
           digit(name[1]);
}

std::vector<std::string> interface_words(std::string_view value) {
    std::vector<std::string> words;
    while (!value.empty()) {
        const auto begin = value.find_first_not_of(" \t");
        if (begin == std::string_view::npos) break;
        const auto end = std::min(value.find_first_of(" \t", begin), value.size());
        const auto word = value.substr(begin, end - begin);
        value.remove_prefix(end);
        if (word.starts_with('#') || word == "regex" || word == "glob") break;
        if (word != "none" && word != "all" && word != "noregex" && word.find('$') == std::string_view::npos)
            words.emplace_back(word);
    }
    return words;
}

std::unordered_map<std::string, LinkRole> link_roles(const View& view) {
    std::unordered_map<std::string, LinkRole> roles;
    for (const auto& interface : view.interfaces) {
        LinkRole role{.interface = &interface};
        role.bridge_ports = view.option(interface, "bridge-ports");
        role.bond_ports = view.option(interface, "bond-slaves");
        if (!role.bond_ports) role.bond_ports = view.option(interface, "slaves");
        if (!role.bond_ports) role.bond_ports = view.option(interface, "bond-ports");
        for (const char* option : {"bridge-ports", "bond-slaves", "slaves", "bond-ports"})
            for (const auto* line : view.options(interface, option))
                for (auto& word : interface_words(line->value))
                    role.ports.push_back(std::move(word));
        role.ib_parent = view.option(interface, "ib-parent");
        role.mtu = view.option(interface, "mtu");
        const Option* raw = view.option(interface, "vlan-raw-device");
        const auto dot = interface.name.rfind('.');
        if (role.ib_parent)
            role.parent = role.ib_parent->value;
        else if (raw)
            role.parent = raw->value;
        else if (dot != std::string::npos && interface.name.find(':') == std::string::npos)
            role.parent = interface.name.substr(0, dot);
        role.named = infiniband_name(interface.name);
        role.infiniband = role.named || role.ib_parent || view.option(interface, "ib-mode") ||
                          view.option(interface, "ib-pkey");
        for (const auto index : interface.stanzas)
            role.connected |= sets_connected(view.stanzas[index]);
        roles.emplace(interface.name, std::move(role));
    }
    return roles;
}

}  // namespace pve_rdma::eni
