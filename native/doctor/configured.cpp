#include "doctor/configured.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"
#include "eni/document.h"
#include "eni/hook_command.h"

namespace pve_rdma::doctor {

namespace {

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    std::size_t at = 0;
    while ((at = text.find_first_not_of(" \t", at)) != std::string::npos) {
        const auto end = std::min(text.find_first_of(" \t", at), text.size());
        words.push_back(text.substr(at, end - at));
        at = end;
    }
    return words;
}

// "pre-up echo connected > /sys/class/net/ib0/mode", as it is written by hand.
std::optional<std::string> echoed_mode(const std::string& command) {
    if (!command.contains("/mode")) return std::nullopt;
    for (const char* mode : {"connected", "datagram"})
        if (command.contains(std::string("echo ") + mode)) return mode;
    return std::nullopt;
}

void take_ports(const std::string& value, ConfiguredLink& link) {
    // "none", and patterns that ifupdown2 expands itself.
    for (const auto& word : words_of(value))
        if (word != "none" && word != "all" && word != "regex" && word != "glob" &&
            word.find_first_of("*?[(^") == std::string::npos)
            link.ports.push_back(word);
}

void take_option(const InterfacesOption& option, ConfiguredLink& link) {
    if (!option.value) return;
    const std::string name = eni::canonical(option.name);
    if (name == "mtu" && !link.mtu) link.mtu = parse_number<std::uint32_t>(*option.value);
    if (name == "ib-mode" && !link.ipoib_mode) link.ipoib_mode = *option.value;
    if (!link.ipoib_mode && (name == "pre-up" || name == "up" || name == "post-up"))
        link.ipoib_mode = echoed_mode(*option.value);
    link.is_made_by_command |= name == "pre-up" && eni::makes_interface(*option.value, link.name);
    if (name == "vlan-raw-device") link.below = *option.value;
    if (name == "bridge-ports" || name == "bond-slaves" || name == "slaves") take_ports(*option.value, link);
    link.is_virtual |= name.starts_with("bridge-") || name.starts_with("bond-") ||
                       name.starts_with("vlan-") || name.starts_with("vxlan-") || name.starts_with("ovs-") ||
                       name == "ib-parent" || name == "link-type";
}

}  // namespace

const ConfiguredLink* Configured::find(const std::string& name) const {
    const auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : &links[found->second];
}

std::string ConfiguredStanza::place() const {
    return fmt::format("{}:{}", file->path, stanza->line);
}

std::optional<std::string> below_vlan(const std::string& name) {
    const auto dot = name.rfind('.');
    if (dot == std::string::npos || dot == 0 || name.find_first_of(":$*?[/") != std::string::npos)
        return std::nullopt;
    const auto id = parse_number<std::uint32_t>(std::string_view(name).substr(dot + 1));
    if (!id || *id > 4094) return std::nullopt;
    return name.substr(0, dot);
}

std::optional<Configured> configured_by(const NodeReport& report) {
    if (report.interfaces_files.empty()) return std::nullopt;
    Configured configured;
    for (std::size_t f = 0; f < report.interfaces_files.size(); ++f) {
        const auto& file = report.interfaces_files[f];
        for (std::size_t s = 0; s < file.stanzas.size(); ++s) {
            const auto& stanza = file.stanzas[s];
            if (stanza.kind != "iface" || stanza.name.empty()) continue;
            const auto& place = configured.stanzas.emplace_back(
                &file, &stanza, fmt::format("/interfaces_files/{}/stanzas/{}", f, s));
            const auto [entry, fresh] = configured.by_name.try_emplace(stanza.name, configured.links.size());
            if (fresh)
                configured.links.push_back({.name = stanza.name,
                                            .below = below_vlan(stanza.name),
                                            .place = place.place(),
                                            .pointer = place.pointer});
            ConfiguredLink& link = configured.links[entry->second];
            link.stanzas.push_back(configured.stanzas.size() - 1);
            link.automatic |= stanza.automatic || !stanza.allow.empty();
            link.dynamic |= stanza.method == "dhcp";
            for (const auto& option : stanza.options)
                take_option(option, link);
        }
    }
    return configured;
}

}  // namespace pve_rdma::doctor
