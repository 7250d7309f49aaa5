#include "plan/persist_routes.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "base/number.h"

namespace pve_rdma {

namespace {

using eni::Home;
using eni::Setting;

// The gateway option of a link for a family, with its stanza.
struct Gateway {
    const eni::Stanza* stanza = nullptr;
    const eni::Option* option = nullptr;
    std::uint32_t metric = 0;
};

Gateway gateway_of(const eni::View& view, const std::string& link, const IpAddress& via) {
    const auto* known = view.find(link);
    if (!known) return {};
    for (const auto index : known->stanzas) {
        const eni::Stanza& stanza = view.stanzas[index];
        const eni::Option* option = stanza.find("gateway");
        if (!option) continue;
        const auto address = IpAddress::parse(option->value.substr(0, option->value.find(' ')));
        if (!address || *address != via) continue;
        const eni::Option* metric = stanza.find("metric");
        return {&stanza, option, metric ? parse_number<std::uint32_t>(metric->value).value_or(0) : 0};
    }
    return {};
}

// What a line of ours says, word by word: the destination, and each keyword's value.
std::string word_behind(const std::string& line, const std::string& keyword) {
    const std::string spaced = " " + line + " ";
    const auto at = spaced.find(" " + keyword + " ");
    if (at == std::string::npos) return {};
    const auto begin = at + keyword.size() + 2;
    return spaced.substr(begin, spaced.find(' ', begin) - begin);
}
std::string destination(const std::string& line) {
    return line.substr(0, line.find(' '));
}

std::string destination_text(const RouteEntry& route) {
    return route.to.is_default() && route.v6 ? "::/0" : route.to.text();
}

// Lines of the same destination, table and metric: a link can hold one of them.
bool same_place(const std::string& line, const RouteEntry& route) {
    const auto table = word_behind(line, "table"), metric = word_behind(line, "metric");
    return destination(line) == destination_text(route) && (table.empty() ? "main" : table) == route.table &&
           parse_number<std::uint32_t>(metric.empty() ? "0" : metric) == route.metric;
}

class RoutePersister {
  public:
    RoutePersister(const Desired& desired, const Network& target, ConfigEditor& editor, Persistence& out)
        : desired_(desired), target_(target), editor_(editor), out_(out) {
        if (desired.routes.empty()) return;
        by_prefix_.reserve(target.routes.size());
        for (const auto& route : target.routes)
            by_prefix_.emplace(route.to.text(), &route);
    }

    Result<void> run() {
        for (const auto& want : desired_.routes)
            if (!absent(want.state))
                if (auto done = keep(want); !done) return done;
        for (const auto& want : desired_.routes)
            if (absent(want.state))
                if (auto done = drop(want); !done) return done;
        for (const auto& want : desired_.rules)
            if (auto done = rule(want); !done) return done;
        commands();
        return {};
    }

  private:
    // The entry of the target that a wish became.
    const RouteEntry* entry_of(const DesiredRoute& want) const {
        const auto to = IpPrefix::parse(want.to);
        if (!to) return nullptr;
        const auto [first, last] = by_prefix_.equal_range(to->text());
        for (auto at = first; at != last; ++at) {
            const RouteEntry& route = *at->second;
            const std::uint32_t metric = want.metric.value_or(route.v6 ? 1024 : 0);
            if (route.metric == metric && route.table == want.table.value_or("main") &&
                (!want.via || route.via == want.via) && (!want.dev || route.dev == *want.dev))
                return &route;
        }
        return nullptr;
    }

    Result<void> keep(const DesiredRoute& want) {
        const RouteEntry* route = entry_of(want);
        if (!route) return {};  // refused before
        if (route->type != "unicast") {
            out_.notes.push_back(
                fmt::format("the route {} holds until the next boot: no option keeps one of type {}",
                            route->text(), route->type));
            return {};
        }
        if (route->to.is_default() && route->via && route->table == "main") {
            const Gateway gateway = gateway_of(editor_.view(), route->dev, *route->via);
            if (gateway.stanza) {
                if (gateway.metric == route->metric) return {};
                if (route->metric == 0) return editor_.remove(route->dev, "metric");
                return editor_.set(route->dev, "metric", std::to_string(route->metric), Home::main_file);
            }
        }
        const std::string line = route_line(*route);
        if (const auto* known = editor_.view().find(route->dev)) {
            std::vector<std::string> old;
            for (const auto* option : editor_.view().options(*known, "rdma-route"))
                if (same_place(option->value, *route) && option->value != line) old.push_back(option->value);
            for (const auto& value : old)
                if (auto done = editor_.remove(route->dev, "rdma-route", value); !done) return done;
        }
        return editor_.add(route->dev, "rdma-route", line,
                           eni::home_of(Setting::route, editor_.view(), route->dev));
    }

    Result<void> drop(const DesiredRoute& want) {
        const auto to = IpPrefix::parse(want.to);
        std::vector<std::string> names;
        for (const auto& interface : editor_.view().interfaces)
            if (!want.dev || interface.name == *want.dev) names.push_back(interface.name);
        for (const auto& name : names) {
            std::vector<std::string> lines;
            for (const auto* option : editor_.view().options(*editor_.view().find(name), "rdma-route")) {
                const std::string& line = option->value;
                const auto prefix = IpPrefix::parse(destination(line));
                const auto metric = word_behind(line, "metric"), table = word_behind(line, "table");
                const bool means = prefix && to && *prefix == *to &&
                                   (!want.via || word_behind(line, "via") == want.via->text()) &&
                                   (!want.metric || parse_number<std::uint32_t>(
                                                        metric.empty() ? "0" : metric) == want.metric) &&
                                   (table.empty() ? "main" : table) == want.table.value_or("main");
                if (means && !wanted(line)) lines.push_back(line);
            }
            for (const auto& line : lines)
                if (auto done = editor_.remove(name, "rdma-route", line); !done) return done;
            if (to && to->is_default() && want.table.value_or("main") == "main")
                if (auto done = drop_gateway(name, want); !done) return done;
        }
        return {};
    }

    bool wanted(const std::string& line) const {
        return std::ranges::any_of(desired_.routes, [&](const DesiredRoute& want) {
            const RouteEntry* route = absent(want.state) ? nullptr : entry_of(want);
            return route && route_line(*route) == line;
        });
    }

    Result<void> drop_gateway(const std::string& link, const DesiredRoute& want) {
        const auto* known = editor_.view().find(link);
        for (const auto* option : editor_.view().options(*known, "gateway")) {
            const auto address = IpAddress::parse(option->value);
            if (!address || (want.via && *address != *want.via)) continue;
            const Gateway gateway = gateway_of(editor_.view(), link, *address);
            if (want.metric && *want.metric != gateway.metric) continue;
            const bool stays = std::ranges::any_of(target_.routes, [&](const RouteEntry& route) {
                return route.to.is_default() && route.table == "main" && route.dev == link &&
                       route.via == *address && route.metric == gateway.metric;
            });
            if (stays) continue;
            if (auto done = editor_.remove(link, "gateway", std::string(option->value)); !done) return done;
            return editor_.remove(link, "metric");
        }
        return {};
    }

    // A rule belongs to no link; the file needs one that brings it up.
    std::string carrier(const RuleEntry& rule) const {
        if (!rule.iif.empty()) return rule.iif;
        if (!rule.oif.empty()) return rule.oif;
        if (rule.from)
            for (const auto& address : target_.addresses)
                if (address.local == rule.from->address) return address.dev;
        for (const auto& route : target_.routes)
            if (route.table == rule.table && !route.dev.empty()) return route.dev;
        return desired_.links.empty() ? "" : desired_.links.front().name;
    }

    Result<void> rule(const DesiredRule& want) {
        const auto from = want.from ? IpPrefix::parse(*want.from) : Result<IpPrefix>(IpPrefix{});
        for (const auto& entry : target_.rules) {
            if (absent(want.state) || entry.priority != want.priority ||
                entry.table != want.table.value_or("main"))
                continue;
            if (want.from && (!entry.from || !from || !(*entry.from == *from))) continue;
            const std::string link = carrier(entry);
            if (link.empty()) {
                out_.notes.push_back(
                    fmt::format("the rule {} holds until the next boot: no link of the document can "
                                "carry it",
                                entry.text()));
                return {};
            }
            return editor_.add(link, "rdma-rule", rule_line(entry),
                               eni::home_of(Setting::rule, editor_.view(), link));
        }
        if (!absent(want.state)) return {};
        std::vector<std::pair<std::string, std::string>> lines;
        for (const auto& interface : editor_.view().interfaces)
            for (const auto* option : editor_.view().options(interface, "rdma-rule"))
                if (parse_number<std::uint32_t>(word_behind(option->value, "priority")) == want.priority &&
                    (!want.from || word_behind(option->value, "from") == *want.from))
                    lines.emplace_back(interface.name, option->value);
        for (const auto& [name, line] : lines)
            if (auto done = editor_.remove(name, "rdma-rule", line); !done) return done;
        return {};
    }

    // Commands in the file that set routes by hand are not ours to change; they come back at the next boot.
    void commands() {
        for (const auto& interface : editor_.view().interfaces)
            for (const auto index : interface.stanzas) {
                const eni::Stanza& stanza = editor_.view().stanzas[index];
                for (const auto& option : stanza.options) {
                    const std::string name = eni::canonical(option.name);
                    const bool hook = name == "up" || name == "post-up" || name == "pre-up";
                    if (!hook || (!option.value.contains("route ") && !option.value.contains("rule ")))
                        continue;
                    const bool ours = std::ranges::any_of(desired_.routes, [&](const DesiredRoute& want) {
                        return option.value.contains(want.to) || option.value.contains(interface.name);
                    });
                    if (ours)
                        out_.notes.push_back(
                            fmt::format("{}:{}: the command of {} sets routes as well, and does so again at "
                                        "every boot and "
                                        "ifreload: remove the line if this change takes its place",
                                        editor_.view().files[option.place.file].name(), option.place.number,
                                        interface.name));
                }
            }
    }

    const Desired& desired_;
    const Network& target_;
    ConfigEditor& editor_;
    Persistence& out_;
    std::unordered_multimap<std::string, const RouteEntry*> by_prefix_{};
};

}  // namespace

Result<void> persist_routes(const Desired& desired, const Network& target, ConfigEditor& editor,
                            Persistence& out) {
    return RoutePersister(desired, target, editor, out).run();
}

std::string route_line(const RouteEntry& route) {
    std::string line = destination_text(route);
    if (route.via) line += " via " + route.via->text();
    if (route.metric) line += fmt::format(" metric {}", route.metric);
    if (route.table != "main") line += " table " + route.table;
    if (route.source) line += " src " + route.source->text();
    if (route.mtu) line += fmt::format(" mtu {}", route.mtu);
    if (route.onlink) line += " onlink";
    return line;
}

std::string rule_line(const RuleEntry& rule) {
    std::string line = rule.v6 && !rule.from && !rule.to ? "inet6 " : "";
    if (rule.from) line += "from " + rule.from->text() + " ";
    if (rule.to) line += "to " + rule.to->text() + " ";
    if (!rule.iif.empty()) line += "iif " + rule.iif + " ";
    if (!rule.oif.empty()) line += "oif " + rule.oif + " ";
    if (rule.mask)
        line += rule.mask == UINT32_MAX ? fmt::format("fwmark {:#x} ", rule.mark)
                                        : fmt::format("fwmark {:#x}/{:#x} ", rule.mark, rule.mask);
    const std::string table = rule.table == "main" ? "254" : rule.table == "local" ? "255" : rule.table;
    return line + fmt::format("priority {} table {}", rule.priority, table);
}

}  // namespace pve_rdma
