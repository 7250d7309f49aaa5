// Options that are misspelt, without a value, or given twice; hooks that pile up.
#include <algorithm>
#include <array>
#include <unordered_map>

#include <fmt/format.h>

#include "eni/check.h"
#include "eni/hook_command.h"
#include "eni/known_options.h"
#include "eni/limits.h"

namespace pve_rdma::eni {

namespace {

// Where only one value can hold.
constexpr std::array<std::string_view, 19> single{"mtu",
                                                  "metric",
                                                  "bond-mode",
                                                  "bond-miimon",
                                                  "bridge-stp",
                                                  "bridge-fd",
                                                  "bridge-vlan-aware",
                                                  "vlan-id",
                                                  "ib-mode",
                                                  "ib-pkey",
                                                  "ib-parent",
                                                  "hwaddress",
                                                  "bond-primary",
                                                  "bridge-maxwait",
                                                  "ovs-type",
                                                  "ovs-bridge",
                                                  "vlan-raw-device",
                                                  "rdma-metric",
                                                  "sriov-numvfs"};

// Each name is looked for once: a hostile file could hold a million lines with one misspelt name.
class Spelling {
  public:
    const std::optional<std::string>& meant(const std::string& name) {
        static const std::optional<std::string> nothing;
        const auto known = seen_.find(name);
        if (known != seen_.end()) return known->second;
        if (seen_.size() >= max_diagnostics) return nothing;
        return seen_.try_emplace(name, known_option(name) ? std::nullopt : probably_meant(name))
            .first->second;
    }

  private:
    std::unordered_map<std::string, std::optional<std::string>> seen_;
};

void check_spelling(const Option& option, Spelling& spelling, Findings& findings) {
    const auto& meant = spelling.meant(option.name);
    if (!meant) return;
    const bool keyword = kind_of_keyword(*meant) != LineKind::option;
    findings.add(
        "misspelt-option", Severity::warning, option.place, option.name.size(),
        fmt::format("nobody knows the option {}: it has no effect", option.name),
        keyword ? fmt::format("meant as {}? This line is taken for an option of the stanza above", *meant)
                : fmt::format("meant as {}?", *meant));
}

void check_repeated(const Stanza& stanza, Findings& findings) {
    for (const auto name : single) {
        const auto lines = stanza.all(name);
        for (std::size_t later = 1; later < lines.size(); ++later)
            if (lines[later]->value != lines[0]->value)
                findings.add(
                    "option-twice", Severity::warning, lines[later]->place, lines[later]->name.size(),
                    fmt::format("{} stands in line {} with another value; that one holds under ifupdown2",
                                name, lines[0]->place.number),
                    "keep one of the lines");
    }
}

// Rules of a packet filter that a reload adds once more: ifreload -a runs the up commands of every stanza
// again.
void check_commands(const Stanza& stanza, Findings& findings) {
    std::vector<const Option*> options;
    std::vector<std::string_view> commands;
    for (const auto& option : stanza.options)
        if (up_command_option(option.name)) {
            options.push_back(&option);
            commands.push_back(option.value);
        }
    for (const auto index : piling_commands(commands))
        findings.add("hook-piles-up", Severity::info, options[index]->place, options[index]->name.size(),
                     "every ifreload -a adds this rule once more",
                     "test with iptables -C first, or keep the rules in the firewall's own file");
}

}  // namespace

void check_options(const View& view, Findings& findings) {
    Spelling spelling;
    for (const auto& stanza : view.stanzas) {
        if (stanza.kind == LineKind::mapping) continue;
        for (const auto& option : stanza.options) {
            if (findings.full()) return;
            if (option.value.empty())
                findings.add("option-without-value", Severity::error, option.place, option.name.size(),
                             fmt::format("{} has no value: ifupdown2 calls it an error and drops the line",
                                         option.name));
            check_spelling(option, spelling, findings);
        }
        check_repeated(stanza, findings);
        check_commands(stanza, findings);
    }
}

}  // namespace pve_rdma::eni
