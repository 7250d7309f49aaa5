// The settings of links: one table. Each row says how a setting is named in a desired document, how it is
// read from and put into a Link, which option of interfaces(5) keeps it, and what changing it may cost.
//
// Keys are "KIND.NAME" for settings of one kind of link ("bond.miimon"), "vf.NAME" for those of a virtual
// function, else the plain name ("mtu"). A desired document writes the name alone.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "facts/link.h"

namespace pve_rdma {

// How a setting reaches the kernel.
enum class SettingWay {
    link_message,  // RTM_NEWLINK
    ethtool,       // ethtool netlink
    sysfs,
    bridge_message,  // RTM_SETLINK of the family AF_BRIDGE
};

struct SettingRule {
    std::string_view key;     // "bond.miimon"
    std::string_view kind;    // of links that have it; empty: any
    std::string_view option;  // of interfaces(5); empty: no option keeps it
    SettingWay way = SettingWay::link_message;
    std::string_view risk = "none";
    bool at_birth = false;  // given when the link is made; changing it later asks for a bond without ports
    std::vector<std::string_view> words{};              // the only values, for those of words
    std::optional<std::uint64_t> minimum{}, maximum{};  // for numbers
    // None: not known, or the link has no such thing. `vf` counts in rules of virtual functions only.
    std::optional<std::string> (*read)(const Link&, std::uint32_t vf) = nullptr;
    // What the link then shows: for models of a kernel.
    void (*write)(Link&, std::uint32_t vf, const std::string&) = nullptr;

    std::string_view name() const;  // in a document
    // The canonical text of a value, or why it is none.
    Result<std::string> canonical(const std::string& value) const;
};

std::span<const SettingRule> setting_rules();
// For a document: the rule of that name for links of that kind.
const SettingRule* find_setting(std::string_view name, std::string_view kind);

// A key as steps hold it. Those of a virtual function carry its number: "vf.3.mac" is the rule "vf.mac".
struct SettingKey {
    const SettingRule* rule = nullptr;  // nullptr: no such setting
    std::uint32_t vf = 0;

    explicit SettingKey(std::string_view key);
    explicit operator bool() const { return rule; }
    std::optional<std::string> read(const Link& link) const { return rule->read(link, vf); }
    void write(Link& link, const std::string& value) const { rule->write(link, vf, value); }
};

}  // namespace pve_rdma
