#include "plan/persist.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number.h"
#include "eni/check.h"
#include "network/settings.h"
#include "network/vlan_membership.h"
#include "plan/config_editor.h"
#include "plan/persist_port_types.h"
#include "plan/persist_routes.h"
#include "plan/persist_sysctls.h"

namespace pve_rdma {

namespace {

using eni::Home;
using eni::Setting;

// As ifupdown2 and Proxmox write truth values of that option.
std::string option_value(const SettingRule& rule, const std::string& value) {
    if (rule.words.empty() || rule.words.front() != "true") return value;
    const bool yes = value == "true";
    if (rule.option == "bridge-vlan-aware") return yes ? "yes" : "no";
    return yes ? "on" : "off";
}

Setting setting_of(const SettingRule& rule) {
    if (rule.option == "mtu") return Setting::mtu;
    if (rule.option == "ib-mode") return Setting::ib_mode;
    if (rule.option == "sriov-numvfs") return Setting::virtual_functions;
    return Setting::stanza;
}

class Persister {
  public:
    Persister(const Desired& desired, const Network& target, ConfigEditor& editor, Persistence& out)
        : desired_(desired), target_(target), editor_(editor), out_(out) {}

    Result<void> run() {
        for (const auto& link : desired_.links) {
            const auto done = absent(link.state) ? editor_.remove_interface(link.name) : keep(link);
            if (!done) return done;
        }
        return persist_routes(desired_, target_, editor_, out_);
    }

  private:
    Home home(const std::string& link, Setting setting) const {
        return eni::home_of(setting, editor_.view(), link);
    }

    Result<void> keep(const DesiredLink& want) {
        const Link* link = target_.find(want.name);
        if (!link) return {};  // refused before
        if (auto done = keep_stanza(want, *link); !done) return done;
        if (auto done = keep_settings(want, *link); !done) return done;
        return keep_addresses(want);
    }

    // An interface that no file has gets a stanza, with what makes it.
    Result<void> keep_stanza(const DesiredLink& want, const Link& link) {
        const std::string kind = link.info_kind.value_or("");
        const bool child = kind == "ipoib" && link.link;
        const bool known = editor_.view().find(want.name) && !editor_.view().find(want.name)->stanzas.empty();
        if (!known && !says_anything(want)) return {};
        const Home where = home(want.name, child ? Setting::pkey_child : Setting::stanza);
        if (!known)
            if (auto done = editor_.add_stanza({want.name, "inet", "manual", {}, true}, where); !done)
                return done;
        const auto set = [&](const char* option, const std::string& value) {
            return editor_.set(want.name, option, value, where);
        };
        if (child && (want.parent || want.pkey || !known)) {
            if (auto done = set("ib-parent", *link.link); !done) return done;
            if (auto done = set("ib-pkey", link.ipoib->key.value_or("")); !done) return done;
        }
        if (kind == "vlan" && (want.parent || want.id || !known)) {
            if (auto done = set("vlan-raw-device", link.link.value_or("")); !done) return done;
            if (auto done = set("vlan-id", std::to_string(link.vlan->id.value_or(0))); !done) return done;
        }
        if (want.ports && (kind == "bond" || kind == "bridge")) {
            const std::string names =
                want.ports->empty() ? "none" : fmt::format("{}", fmt::join(*want.ports, " "));
            if (auto done = set(kind == "bond" ? "bond-slaves" : "bridge-ports", names); !done) return done;
        }
        if (kind == "bond" && !known) {
            if (!want.settings.contains("mode"))
                if (auto done = set("bond-mode", link.bond->mode.value_or("balance-rr")); !done) return done;
        }
        if (kind == "bridge" && !known) {
            if (auto done = set("bridge-stp", "off"); !done) return done;
            if (auto done = set("bridge-fd", "0"); !done) return done;
        }
        return {};
    }

    static bool says_anything(const DesiredLink& want) {
        const bool settings = std::ranges::any_of(want.settings, [](const auto& one) {
            return std::ranges::any_of(setting_rules(), [&](const SettingRule& rule) {
                return rule.name() == one.first && !rule.option.empty();
            });
        });
        return want.kind || want.ports || settings || !want.addresses.empty();
    }

    Result<void> keep_settings(const DesiredLink& want, const Link& link) {
        for (const auto& [name, value] : want.settings) {
            const SettingRule* rule = find_setting(name, link.info_kind.value_or(""));
            if (!rule) continue;
            const auto* known = editor_.view().find(want.name);
            if (rule->key == "up" && value == "true" && known && known->automatic) continue;  // its auto line
            if (rule->option.empty()) {
                out_.notes.push_back(
                    fmt::format("{} of {} holds until the next boot: no option of interfaces(5) "
                                "keeps it",
                                name, want.name));
                continue;
            }
            const auto canonical = rule->canonical(value);
            if (!canonical) continue;
            if (rule->key == "vlans") {
                if (auto done = keep_vlans(want.name, *canonical); !done) return done;
                continue;
            }
            if (auto done = editor_.set(want.name, std::string(rule->option), option_value(*rule, *canonical),
                                        home(want.name, setting_of(*rule)));
                !done)
                return done;
        }
        if (!want.virtual_functions.empty())
            out_.notes.push_back(
                fmt::format("settings of virtual functions of {} hold until the next boot: no option "
                            "of interfaces(5) keeps them",
                            want.name));
        return {};
    }

    // ifupdown2 knows tagged VLANs and the one of untagged frames; more it cannot say.
    Result<void> keep_vlans(const std::string& port, const std::string& value) {
        const auto membership = VlanMembership::parse(value);
        if (!membership) return std::unexpected(membership.error());
        std::vector<std::string> tagged;
        std::string pvid;
        for (const auto& range : membership->ranges()) {
            const auto& vlan = membership->vlans[range.vlan];
            if (vlan.pvid != vlan.untagged) {
                out_.refusals.push_back(
                    {.code = ErrorCode::bad_request,
                     .subject = port,
                     .message = "the files can keep tagged VLANs and one untagged pvid only",
                     .hint =
                         "as \"1 pvid untagged,2-4094\"; or change the running network only (--live-only)"});
                return {};
            }
            if (vlan.pvid)
                pvid = std::to_string(range.vlan);
            else
                tagged.push_back(range.vlanEnd ? fmt::format("{}-{}", range.vlan, *range.vlanEnd)
                                               : std::to_string(range.vlan));
        }
        const auto keep = [&](const char* option, const std::string& text) {
            return text.empty() ? editor_.remove(port, option)
                                : editor_.set(port, option, text, home(port, Setting::stanza));
        };
        if (auto done = keep("bridge-vids", fmt::to_string(fmt::join(tagged, " "))); !done) return done;
        return keep("bridge-pvid", pvid == "1" ? "" : pvid);
    }

    // --- addresses

    static std::string family_of(const IpAddress& address) { return address.is_v6() ? "inet6" : "inet"; }

    // The stanza that holds an address, with the option; both forms of the length.
    std::pair<const eni::Stanza*, const eni::Option*> holder(const std::string& link,
                                                             const Cidr& cidr) const {
        const auto* known = editor_.view().find(link);
        if (!known) return {};
        for (const auto index : known->stanzas) {
            const eni::Stanza& stanza = editor_.view().stanzas[index];
            for (const auto* option : stanza.all("address")) {
                const std::string_view value = option->value;
                const auto slash = value.find('/');
                const auto address = IpAddress::parse(value.substr(0, slash));
                if (!address || *address != cidr.address) continue;
                return {&stanza, option};
            }
        }
        return {};
    }

    Result<void> keep_addresses(const DesiredLink& want) {
        std::optional<std::uint32_t> metric;
        for (const auto& address : want.addresses) {
            const auto done =
                absent(address.state) ? drop_address(want.name, address) : keep_address(want.name, address);
            if (!done) return done;
            if (absent(address.state) || !address.metric) continue;
            if (metric && *metric != *address.metric)
                out_.refusals.push_back(
                    {.code = ErrorCode::bad_request,
                     .subject = want.name,
                     .message = "interfaces(5) keeps one metric for all addresses of a link",
                     .hint = "give its addresses the same metric"});
            metric = address.metric;
        }
        if (!metric) return {};
        if (*metric == 0) return editor_.remove(want.name, "rdma-metric");
        return editor_.set(want.name, "rdma-metric", std::to_string(*metric),
                           home(want.name, Setting::metric));
    }

    Result<void> keep_address(const std::string& link, const DesiredAddress& want) {
        if (holder(link, want.address).second) return {};
        const std::string family = family_of(want.address.address);
        const auto* known = editor_.view().find(link);
        const eni::Stanza* empty = nullptr;
        bool has_one = false;
        for (const auto index : known ? known->stanzas : std::vector<std::uint32_t>{}) {
            const eni::Stanza& stanza = editor_.view().stanzas[index];
            if (stanza.family != family) continue;
            const bool ours = editor_.view().files[stanza.place.file].name() == eni::own_file;
            if (stanza.find("address"))
                has_one = true;
            else if (stanza.method == "manual" && (!ours || home(link, Setting::stanza) == Home::own_file) &&
                     !empty)
                empty = &stanza;
            if (stanza.method == "dhcp" || stanza.method == "auto") has_one = true;
        }
        const std::string value = want.address.text();
        if (!has_one && empty) {
            if (auto done = editor_.set_method(*empty, "static"); !done) return done;
            return editor_.set(link, "address", value, home(link, Setting::address));
        }
        return editor_.add_stanza({link, family, "static", {{"address", value}}, false},
                                  home(link, has_one ? Setting::further_address : Setting::address));
    }

    Result<void> drop_address(const std::string& link, const DesiredAddress& want) {
        const auto [stanza, option] = holder(link, want.address);
        if (!option) return {};
        const bool only = stanza->all("address").size() == 1;
        const bool main_stanza = editor_.view().files[stanza->place.file].name() != eni::own_file;
        if (only && stanza->method == "static") {
            // Without its address a static stanza has nothing to bring up, and a gateway would have no way.
            for (const char* name : {"gateway", "netmask", "broadcast", "network"})
                if (stanza->find(name))
                    if (auto done = editor_.remove(link, name, stanza->find(name)->value); !done) return done;
            const auto [again, still] = holder(link, want.address);
            const std::string value = still->value;
            if (main_stanza || again->options.size() > 1)
                if (auto done = editor_.set_method(*again, "manual"); !done) return done;
            return editor_.remove(link, "address", value);
        }
        return editor_.remove(link, "address", std::string(option->value));
    }

    const Desired& desired_;
    const Network& target_;
    ConfigEditor& editor_;
    Persistence& out_;
};

// An interface that no file named until now is ifupdown2's from then on: it takes away what it does not know.
void refuse_forgotten_addresses(const eni::View& before, const eni::View& after, const Network& target,
                                Persistence& out) {
    for (const auto& interface : after.interfaces) {
        const auto* known = before.find(interface.name);
        if (interface.stanzas.empty() || (known && !known->stanzas.empty())) continue;
        for (const auto& address : target.addresses) {
            if (address.dev != interface.name) continue;
            const auto options = after.options(interface, "address");
            const bool kept = std::ranges::any_of(options, [&](const eni::Option* option) {
                return IpAddress::parse(option->value.substr(0, option->value.find('/'))) == address.local;
            });
            if (!kept)
                out.refusals.push_back(
                    {.code = ErrorCode::bad_request,
                     .subject = interface.name,
                     .message =
                         fmt::format("no file names it yet, and with this change ifreload would take its "
                                     "address {}/{} away",
                                     address.local.text(), address.length),
                     .hint = "name its addresses in the document too, or change the running network only "
                             "(--live-only)"});
        }
    }
}

// Errors that the change would bring in: the node would come up otherwise than asked.
void refuse_new_errors(const eni::View& before, const eni::View& after, Persistence& out) {
    const auto old = eni::check(before);
    for (const auto& one : eni::check(after)) {
        if (one.severity != eni::Severity::error) continue;
        if (std::ranges::any_of(
                old, [&](const auto& known) { return known.id == one.id && known.message == one.message; }))
            continue;
        out.refusals.push_back({.code = ErrorCode::bad_request,
                                .subject = one.file,
                                .message = "the file would have an error: " + one.message,
                                .file = one.file,
                                .line = one.line,
                                .column = one.column,
                                .hint = one.hint});
    }
}

}  // namespace

Result<Persistence> persist(const Desired& desired, const Network& target, eni::FileReader& files,
                            const std::string& main) {
    Persistence out;
    auto editor = ConfigEditor::open(files, main);
    if (!editor) return std::unexpected(editor.error());
    const eni::View before = editor->view();
    if (auto done = Persister(desired, target, *editor, out).run(); !done)
        return std::unexpected(done.error());
    out.files = editor->changes();
    out.diff = editor->diff();
    if (!out.files.empty()) {
        refuse_new_errors(before, editor->view(), out);
        refuse_forgotten_addresses(before, editor->view(), target, out);
    }
    if (auto done = persist_port_types(desired, files, out); !done) return std::unexpected(done.error());
    if (auto done = persist_sysctls(desired, files, out); !done) return std::unexpected(done.error());
    return out;
}

}  // namespace pve_rdma
