// Keywords, headers, sourced files, and who is brought up.
#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>

#include <fmt/format.h>

#include "eni/check.h"
#include "eni/inherits.h"
#include "eni/name_pattern.h"
#include "eni/placement.h"

namespace pve_rdma::eni {

namespace {

constexpr std::array<std::string_view, 2> families{"inet", "inet6"};
constexpr std::array<std::string_view, 8> other_families{"can",  "ipx",  "x25",  "link",
                                                         "ax25", "meta", "none", ""};
constexpr std::array<std::string_view, 7> ifupdown2_methods{"static", "manual", "loopback", "dhcp",
                                                            "dhcp6",  "ppp",    "tunnel"};
constexpr std::array<std::string_view, 6> classic_methods{"auto",   "bootp",    "wvdial",
                                                          "ipv4ll", "v4tunnel", "6to4"};

template <class Words>
bool holds(const Words& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

void check_name(const Stanza& stanza, Findings& findings) {
    const auto base = std::string_view(stanza.name).substr(0, stanza.name.find(':'));
    if (stanza.name.empty())
        findings.add("no-name", Severity::error, stanza.place, 5,
                     "a stanza without a name: ifupdown2 stops here", "write: iface NAME inet static");
    else if (!is_pattern(stanza.name) && base.size() > 15 && base.find('$') == std::string_view::npos)
        findings.add("name-too-long", Severity::error, stanza.place, 5,
                     fmt::format("{} has {} characters; the kernel takes 15", base, base.size()),
                     "choose a shorter name; a VLAN can be vlan10 with vlan-raw-device");
}

void check_header(const View& view, const Stanza& stanza, Findings& findings) {
    check_name(stanza, findings);
    if (stanza.kind != LineKind::iface) return;
    if (!stanza.family.empty() && !holds(families, stanza.family) && !holds(other_families, stanza.family))
        findings.add("unknown-family", Severity::error, stanza.place, 5,
                     fmt::format("{} is no address family", stanza.family), "inet or inet6");
    else if (!stanza.family.empty() && !holds(families, stanza.family))
        findings.add("unknown-family", Severity::warning, stanza.place, 5,
                     fmt::format("ifupdown2 does not know the family {}", stanza.family));
    else if (!stanza.family.empty() && stanza.method.empty() && stanza.inherits.empty())
        findings.add("no-method", Severity::warning, stanza.place, 5,
                     "a family without a method: ifupdown2 takes static, classic ifupdown refuses the file",
                     "add the method: static, manual, dhcp");
    else if (!stanza.method.empty() && holds(classic_methods, stanza.method))
        findings.add(
            "classic-method", Severity::warning, stanza.place, 5,
            fmt::format("ifupdown2 does not know the method {}, classic ifupdown does", stanza.method));
    else if (!stanza.method.empty() && !holds(ifupdown2_methods, stanza.method))
        findings.add("unknown-method", Severity::error, stanza.place, 5,
                     fmt::format("{} is no method", stanza.method), "static, manual, dhcp, loopback, auto");
    if (!stanza.inherits.empty())
        findings.add("inherits", Severity::warning, stanza.place, 5,
                     "`inherits` is known to classic ifupdown only: under ifupdown2 the stanza has only the "
                     "options that stand in it",
                     "write the options out");
    if (!stanza.inherits.empty() && !inherited_stanza(view, stanza))
        findings.add("inherits-unknown", Severity::error, stanza.place, 5,
                     fmt::format("no stanza named {}{}{} stands above this one: classic ifupdown refuses the "
                                 "whole file",
                                 stanza.inherits.front(), stanza.family.empty() ? "" : " of the family ",
                                 stanza.family),
                     "put the stanza that is inherited from first");
    if (!stanza.further.empty())
        findings.add("further-words", Severity::warning, stanza.place, 5,
                     fmt::format("{} has no meaning in this line", stanza.further[0]),
                     "a comment needs a line of its own, that begins with #");
}

// Statements of other ifupdowns. Behind a stanza ifupdown2 takes their lines for options of that stanza.
void check_foreign(const View& view, Findings& findings) {
    for (const auto& document : view.files) {
        const auto file = static_cast<std::uint32_t>(&document - view.files.data());
        bool in_stanza = false;
        for (const auto& line : document.lines()) {
            const bool foreign = line.kind == LineKind::mapping || line.kind == LineKind::template_stanza ||
                                 line.kind == LineKind::source_directory ||
                                 line.kind == LineKind::no_auto_down || line.kind == LineKind::no_scripts ||
                                 line.kind == LineKind::rename;
            if (line.kind == LineKind::iface || line.kind == LineKind::vlan) in_stanza = true;
            if (line.kind == LineKind::automatic || line.kind == LineKind::allow ||
                line.kind == LineKind::source)
                in_stanza = false;
            if (!foreign || findings.full()) continue;
            const auto word = document.words(line)[0];
            findings.add_at("unknown-to-ifupdown2", Severity::warning, file, word.begin,
                            word.end - word.begin,
                            fmt::format("ifupdown2 3.0 does not know `{}`: it {}", word.in(document.text()),
                                        in_stanza ? "takes this line for an option of the stanza above"
                                                  : "calls this line an error and goes on"));
        }
    }
}

void check_sources(const View& view, Findings& findings) {
    for (const auto& source : view.sources) {
        if (source.pattern.empty())
            findings.add("source-without-path", Severity::error, source.place, 6,
                         "nothing is named: ifupdown2 stops reading the file here");
        else if (!source.pattern.starts_with('/'))
            findings.add(
                "relative-source", Severity::warning, source.place, 6,
                "a relative path: classic ifupdown begins at the file's folder, ifupdown2 where it was "
                "started",
                "write the whole path");
    }
    for (const auto& unread : view.unreadable) {
        const bool absent = unread.error.code == ErrorCode::not_found;
        findings.add(absent ? "source-missing" : "source-unreadable",
                     absent ? Severity::warning : Severity::error, unread.place, 6, unread.error.text());
    }
    for (const auto& stray : view.strays)
        findings.add("stray-line", Severity::error, stray.place, stray.text.size(),
                     "this line belongs to no stanza and is no statement: it is dropped",
                     "options stand below an iface line; a source line ends a stanza");
}

// auto and allow lines against stanzas.
void check_mentions(const View& view, Findings& findings) {
    std::unordered_set<std::string> mapped, ports;
    for (const auto& stanza : view.stanzas) {
        if (stanza.kind == LineKind::mapping) mapped.insert(stanza.name);
        if (stanza.kind == LineKind::mapping) mapped.insert(stanza.further.begin(), stanza.further.end());
    }
    for (const auto& mention : view.mentions) {
        const bool brings_up = mention.kind == LineKind::automatic || mention.kind == LineKind::allow;
        if (mention.names.empty())
            findings.add("no-name", Severity::error, mention.place, 4, "no interface is named in this line");
        for (const auto& name : mention.names) {
            if (name.starts_with('#')) {
                findings.add("inline-comment", Severity::warning, mention.place, 4,
                             "what stands behind # in this line are names of interfaces, not a comment",
                             "put the comment on a line of its own");
                break;
            }
            if (!brings_up || is_pattern(name) || name.find_first_of("=$") != std::string::npos) continue;
            const auto base = name.substr(0, name.find(':'));
            if (!view.find(name) && !mapped.contains(name) && !(base != name && view.find(base)))
                findings.add("auto-without-stanza", Severity::warning, mention.place, 4,
                             fmt::format("{} is to be brought up and has no iface stanza", name),
                             fmt::format("add: iface {} inet manual", name));
        }
    }
}

void check_not_automatic(const View& view, Findings& findings) {
    std::unordered_set<std::string> used;  // brought up by what stands on them, or a base for others
    for (const auto& stanza : view.stanzas) {
        for (const auto* option : {"bridge-ports", "bond-slaves", "slaves", "vlan-raw-device", "ib-parent",
                                   "ovs-ports", "ovs-bonds", "vxlan-physdev"})
            for (const auto* one : stanza.all(option)) {
                std::string_view rest = one->value;
                while (!rest.empty()) {
                    const auto end = rest.find_first_of(" \t");
                    used.emplace(rest.substr(0, end));
                    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
                }
            }
        used.insert(stanza.inherits.begin(), stanza.inherits.end());
        if (stanza.kind == LineKind::mapping)
            for (const auto* one : stanza.all("map"))
                used.insert(one->value.substr(one->value.find_last_of(" \t") + 1));
    }
    for (const auto& interface : view.interfaces) {
        if (interface.automatic || !interface.allow.empty() || used.contains(interface.name)) continue;
        const Stanza& stanza = view.stanzas[interface.stanzas.front()];
        if (stanza.method == "manual" && stanza.options.empty())
            continue;  // Proxmox writes these for bare cards
        if (interface.name.empty() || is_pattern(interface.name) || interface.name == "lo") continue;
        findings.add(
            "not-automatic", Severity::warning, stanza.place, 5,
            fmt::format("{} stands in no auto line: it does not come up at boot, and ifreload -a takes "
                        "it down",
                        interface.name),
            fmt::format("add: auto {}", interface.name));
    }
}

// In our own file a second stanza is how something is added to an interface of the main file.
void check_repeated_stanzas(const View& view, Findings& findings) {
    const std::string own = own_file_of(view.files.front().name());
    for (const auto& interface : view.interfaces) {
        std::map<std::string, const Stanza*> seen;
        for (const auto index : interface.stanzas) {
            const Stanza& stanza = view.stanzas[index];
            if (stanza.place.file != 0 && view.files[stanza.place.file].name() == own) continue;
            const auto [first, fresh] = seen.try_emplace(stanza.family, &stanza);
            if (!fresh && !interface.name.empty())
                findings.add(
                    "duplicate-stanza", Severity::warning, stanza.place, 5,
                    fmt::format("a second {} stanza of {}; the first is at {}:{}. All options count; "
                                "where one value holds (mtu) it is the first",
                                stanza.family.empty() ? "iface" : stanza.family, interface.name,
                                view.files[first->second->place.file].name(), first->second->place.number),
                    "join the stanzas: Proxmox's editor keeps one of them");
        }
    }
}

}  // namespace

void check_statements(const View& view, Findings& findings) {
    for (const auto& stanza : view.stanzas)
        check_header(view, stanza, findings);
    check_foreign(view, findings);
    check_sources(view, findings);
    check_mentions(view, findings);
    check_not_automatic(view, findings);
    check_repeated_stanzas(view, findings);
}

}  // namespace pve_rdma::eni
