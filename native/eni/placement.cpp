#include "eni/placement.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "eni/link_roles.h"

namespace pve_rdma::eni {

namespace {

bool digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c); });
}

// eth0, en*, ib*, nic0, if0 without a point or colon: PHYSICAL_NIC_RE of Proxmox's reader, in our own words.
bool card_name(std::string_view name) {
    for (const std::string_view prefix : {"eth", "nic", "if"})
        if (name.starts_with(prefix) && digits(name.substr(prefix.size()))) return true;
    return (name.starts_with("en") || name.starts_with("ib")) && name.size() > 2 &&
           name.find_first_of(".:") == name.npos;
}

}  // namespace

std::string own_file_of(std::string_view main_file) {
    constexpr std::string_view below = "/interfaces.d/pve-rdma";
    if (main_file.ends_with(below)) return std::string(main_file);
    return std::string(main_file.substr(0, main_file.rfind('/'))) + std::string(below);
}

Setting setting_of(std::string_view option) {
    constexpr std::array<std::pair<std::string_view, Setting>, 10> settings{
        {{"address", Setting::address},
         {"gateway", Setting::gateway},
         {"mtu", Setting::mtu},
         {"ib-mode", Setting::ib_mode},
         {"ib-parent", Setting::pkey_child},
         {"ib-pkey", Setting::pkey_child},
         {"rdma-metric", Setting::metric},
         {"rdma-route", Setting::route},
         {"rdma-rule", Setting::rule},
         {"sriov-numvfs", Setting::virtual_functions}}};
    const std::string name = canonical(option);
    for (const auto& [known, setting] : settings)
        if (name == known) return setting;
    return Setting::stanza;
}

Home home_of(Setting setting) {
    switch (setting) {
        case Setting::pkey_child:
        case Setting::further_address:
        case Setting::metric:
        case Setting::route:
        case Setting::rule:
            return Home::own_file;
        case Setting::stanza:
        case Setting::address:
        case Setting::gateway:
        case Setting::mtu:
        case Setting::ib_mode:
        case Setting::virtual_functions:
            return Home::main_file;
    }
    return Home::main_file;
}

Home home_of(Setting setting, const View& view, const std::string& interface) {
    if (home_of(setting) == Home::own_file) return Home::own_file;
    const auto* known = view.find(interface);
    if (!known || known->stanzas.empty())
        return proxmox_kind(view, interface) == ProxmoxKind::other ? Home::own_file : Home::main_file;
    const auto in_main = [&](std::uint32_t stanza) { return view.stanzas[stanza].place.file == 0; };
    return std::ranges::any_of(known->stanzas, in_main) ? Home::main_file : Home::own_file;
}

ProxmoxKind proxmox_kind(const View& view, const std::string& name) {
    const auto* known = view.find(name);
    const auto has = [&](std::string_view option) { return known && view.option(*known, option); };
    const auto dot = name.rfind('.');
    if (name == "lo") return ProxmoxKind::loopback;
    if (name.contains(':')) return ProxmoxKind::alias;
    if (name.starts_with("bond") && digits(name.substr(4))) return ProxmoxKind::bond;
    if (has("bridge-ports") || (name.starts_with("vmbr") && digits(name.substr(4))))
        return ProxmoxKind::bridge;
    if (dot != name.npos && digits(std::string_view(name).substr(dot + 1)))
        return infiniband_name(std::string_view(name).substr(0, dot)) ? ProxmoxKind::other
                                                                      : ProxmoxKind::vlan;
    if (has("vlan-raw-device")) return ProxmoxKind::vlan;
    return card_name(name) ? ProxmoxKind::card : ProxmoxKind::other;
}

std::string_view own_file_header() {
    return "# Kept by pve-rdma, sourced by /etc/network/interfaces.\n"
           "# Here stands what Proxmox's editor would break or lose in the main file: P_Key children of "
           "InfiniBand\n"
           "# ports, further addresses, metrics, routes and rules. Everything else stands in the main file.\n"
           "# Edits by hand are kept.\n";
}

}  // namespace pve_rdma::eni
