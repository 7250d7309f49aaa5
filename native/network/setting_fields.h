// How settings are read from a Link and put into one: what the rows of settings.cpp are made of.
#pragma once

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

#include "base/number.h"
#include "facts/link.h"
#include "network/network.h"
#include "network/vlan_membership.h"

namespace pve_rdma::setting_fields {

using Text = std::optional<std::string>;

inline Text text_of(const std::optional<std::uint32_t>& number) {
    return number ? Text(std::to_string(*number)) : std::nullopt;
}
inline Text text_of(const std::optional<bool>& flag) {
    return flag ? Text(*flag ? "true" : "false") : std::nullopt;
}
inline Text text_of(const std::optional<std::string>& text) {
    return text;
}
inline Text text_of(const std::optional<HardwareAddress>& address) {
    return address ? Text(address->text()) : std::nullopt;
}

inline void assign(std::optional<std::uint32_t>& to, const std::string& value) {
    to = parse_number<std::uint32_t>(value);
}
inline void assign(std::optional<bool>& to, const std::string& value) {
    to = value == "true";
}
inline void assign(std::optional<std::string>& to, const std::string& value) {
    if (value.empty())
        to.reset();
    else
        to = value;
}
inline void assign(std::optional<HardwareAddress>& to, const std::string& value) {
    if (const auto address = HardwareAddress::parse(value)) to = *address;
}

// A member of the link, or of one of its parts.
template <auto member>
Text read(const Link& link, std::uint32_t) {
    return text_of(link.*member);
}
template <auto member>
void write(Link& link, std::uint32_t, const std::string& value) {
    assign(link.*member, value);
}
template <auto part, auto member>
Text read(const Link& link, std::uint32_t) {
    return link.*part ? text_of(*(link.*part).*member) : std::nullopt;
}
template <auto part, auto member>
void write(Link& link, std::uint32_t, const std::string& value) {
    if (!(link.*part)) (link.*part).emplace();
    assign(*(link.*part).*member, value);
}
template <auto part, auto inner, auto member>
Text read(const Link& link, std::uint32_t) {
    return link.*part && *(link.*part).*inner ? text_of(*(*(link.*part).*inner).*member) : std::nullopt;
}
template <auto part, auto inner, auto member>
void write(Link& link, std::uint32_t, const std::string& value) {
    if (!(link.*part)) (link.*part).emplace();
    auto& box = *(link.*part).*inner;
    if (!box) box.emplace();
    assign((*box).*member, value);
}
template <auto member>
Text read_vf(const Link& link, std::uint32_t vf) {
    const auto found = std::ranges::find(link.vfinfo_list, vf, &Vf::vf);
    return found == link.vfinfo_list.end() ? std::nullopt : text_of((*found).*member);
}
template <auto member>
void write_vf(Link& link, std::uint32_t vf, const std::string& value) {
    const auto found = std::ranges::find(link.vfinfo_list, vf, &Vf::vf);
    if (found != link.vfinfo_list.end()) assign((*found).*member, value);
}

// A function without a VLAN says 0, or nothing at all (link_vf.cpp); one with several lists them.
inline Text read_vf_vlan(const Link& link, std::uint32_t vf) {
    const auto found = std::ranges::find(link.vfinfo_list, vf, &Vf::vf);
    if (found == link.vfinfo_list.end()) return std::nullopt;
    auto vlan = found->vlan;
    if (found->vlan_list && !found->vlan_list->empty()) vlan = found->vlan_list->front().vlan;
    return std::to_string(vlan.value_or(0));
}
inline void write_vf_vlan(Link& link, std::uint32_t vf, const std::string& value) {
    const auto found = std::ranges::find(link.vfinfo_list, vf, &Vf::vf);
    if (found == link.vfinfo_list.end()) return;
    found->vlan_list.reset();
    assign(found->vlan, value);
}

// The kernel counts these as 0 and 1, a document says true and false.
template <auto member>
Text read_bridge_flag(const Link& link, std::uint32_t) {
    return link.bridge && (*link.bridge).*member ? Text(*((*link.bridge).*member) ? "true" : "false")
                                                 : std::nullopt;
}
template <auto member>
void write_bridge_flag(Link& link, std::uint32_t, const std::string& value) {
    if (!link.bridge) link.bridge.emplace();
    (*link.bridge).*member = value == "true" ? 1 : 0;
}

inline Text read_up(const Link& link, std::uint32_t) {
    return is_up(link) ? "true" : "false";
}
inline void write_up(Link& link, std::uint32_t, const std::string& value) {
    std::erase(link.flags, "UP");
    if (value == "true") link.flags.emplace_back("UP");
}

// Empty: none. So leaving a bridge is a value like any other.
template <auto member>
Text read_name(const Link& link, std::uint32_t) {
    return (link.*member).value_or("");
}
// Of ports of bridges only: what a link carried before it left counts for nothing.
inline Text read_vlans(const Link& link, std::uint32_t) {
    if (!link.master || (!link.bridge_port && link.bridge_vlans.empty())) return std::nullopt;
    return VlanMembership::of(link.bridge_vlans).text();
}
inline void write_vlans(Link& link, std::uint32_t, const std::string& value) {
    if (const auto membership = VlanMembership::parse(value)) link.bridge_vlans = membership->ranges();
}
inline Text read_primary(const Link& link, std::uint32_t) {
    return link.bond ? Text(link.bond->primary.value_or("")) : std::nullopt;
}

// off, rs, baser, auto: the kernel's names of link modes (None, RS, BASER) as `ethtool --set-fec` takes them.
inline Text read_fec(const Link& link, std::uint32_t) {
    if (!link.ethernet || !link.ethernet->fec) return std::nullopt;
    if (link.ethernet->fec->auto_.value_or(false)) return "auto";
    if (link.ethernet->fec->modes.empty()) return std::nullopt;
    std::string word = link.ethernet->fec->modes.front();
    for (char& c : word)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return word == "none" ? "off" : word;
}
inline void write_fec(Link& link, std::uint32_t, const std::string& value) {
    if (!link.ethernet) link.ethernet.emplace();
    Fec& fec = link.ethernet->fec.emplace();
    fec.auto_ = value == "auto";
    std::string word = value;
    for (char& c : word)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (value != "auto") fec.modes = {value == "off" ? "None" : word};
}

// Every VF that there is to be has an entry.
inline void write_vfs(Link& link, std::uint32_t, const std::string& value) {
    assign(link.num_vf, value);
    link.vfinfo_list.resize(link.num_vf.value_or(0));
    for (std::uint32_t i = 0; i < link.vfinfo_list.size(); ++i)
        link.vfinfo_list[i].vf = i;
}

}  // namespace pve_rdma::setting_fields
