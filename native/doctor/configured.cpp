#include "doctor/configured.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/number.h"
#include "eni/document.h"

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
    if (name == "bridge-ports" || name == "bond-slaves" || name == "slaves") take_ports(*option.value, link);
    link.is_virtual |= name.starts_with("bridge-") || name.starts_with("bond-") ||
                       name.starts_with("vlan-") || name.starts_with("vxlan-") || name.starts_with("ovs-") ||
                       name == "ib-parent" || name == "link-type";
}

}  // namespace

const ConfiguredLink* Configured::find(const std::string& name) const {
    const auto found = std::ranges::find(links, name, &ConfiguredLink::name);
    return found == links.end() ? nullptr : &*found;
}

std::optional<Configured> configured_by(const NodeReport& report) {
    if (report.interfaces_files.empty()) return std::nullopt;
    Configured configured;
    std::map<std::string, std::size_t> known;
    for (std::size_t f = 0; f < report.interfaces_files.size(); ++f) {
        const auto& file = report.interfaces_files[f];
        for (std::size_t s = 0; s < file.stanzas.size(); ++s) {
            const auto& stanza = file.stanzas[s];
            if (stanza.kind != "iface" || stanza.name.empty()) continue;
            const auto [entry, fresh] = known.try_emplace(stanza.name, configured.links.size());
            if (fresh)
                configured.links.push_back({.name = stanza.name,
                                            .place = fmt::format("{}:{}", file.path, stanza.line),
                                            .pointer = fmt::format("/interfaces_files/{}/stanzas/{}", f, s)});
            ConfiguredLink& link = configured.links[entry->second];
            link.automatic |= stanza.automatic || !stanza.allow.empty();
            link.dynamic |= stanza.method == "dhcp";
            for (const auto& option : stanza.options)
                take_option(option, link);
        }
    }
    return configured;
}

}  // namespace pve_rdma::doctor
