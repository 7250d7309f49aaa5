#include "kernel/read_network.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernel/read_routes.h"
#include "network/port_type.h"
#include "observe/ethtool.h"
#include "observe/rtnetlink.h"

namespace pve_rdma {

namespace {

// What a source of a report could not give, as an error.
Result<void> whole(const NodeReport& report, const std::string& name) {
    const auto found = report.sources.find(name);
    if (found == report.sources.end()) return {};
    const Source& source = found->second;
    const auto failed = [](const std::string& subject, const std::string& why) {
        return std::unexpected(Error{.code = why == "EPERM" ? ErrorCode::permission : ErrorCode::machine,
                                     .subject = subject,
                                     .message = fmt::format("the network could not be read whole: {}", why)});
    };
    if (source.unavailable) return failed(name, source.text.value_or(*source.unavailable));
    if (!source.unread.empty()) return failed(source.unread.front().what, source.unread.front().text);
    return {};
}

constexpr std::string_view with_link_names[]{"net.ipv4.conf.", "net.ipv6.conf.", "net.ipv4.neigh.",
                                             "net.ipv6.neigh."};

}  // namespace

std::string sysctl_path(std::string_view name) {
    if (const auto port = PortTypeName::parse(name)) return port->path();
    std::string path = "/proc/sys/";
    for (const auto prefix : with_link_names) {
        const auto last = name.rfind('.');
        if (!name.starts_with(prefix) || last < prefix.size()) continue;
        std::string plain(prefix);
        std::ranges::replace(plain, '.', '/');
        return path + plain + std::string(name.substr(prefix.size(), last - prefix.size())) + "/" +
               std::string(name.substr(last + 1));
    }
    std::string plain(name);
    std::ranges::replace(plain, '.', '/');
    return path + plain;
}

std::string sysctl_value(std::string_view text) {
    std::string value;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\t' || c == '\n';
        if (blank && (value.empty() || value.back() == ' ')) continue;
        value += blank ? ' ' : c;
    }
    if (value.ends_with(' ')) value.pop_back();
    return value;
}

std::map<std::string, std::string> read_sysctls(const Machine& machine,
                                                const std::vector<std::string>& names) {
    std::map<std::string, std::string> sysctls;
    for (const auto& name : names)
        if (const auto text = machine.text(sysctl_path(name)))
            sysctls[name] = PortTypeName::parse(name) ? port_type_value(*text) : sysctl_value(*text);
    return sysctls;
}

Result<Network> read_network(const Machine& machine, const NetworkParts& parts, std::vector<Address>* life) {
    NodeReport report;
    RouteReader routes;
    observe_rtnetlink(machine, report,
                      {.addresses = parts.addresses,
                       .routes = parts.routes,
                       .rules = parts.rules,
                       .route_taker = &routes.taker()});
    if (const auto all = whole(report, "rtnetlink"); !all) return std::unexpected(all.error());
    if (parts.ethernet) {
        const auto transport = open_netlink(NETLINK_GENERIC, "ethtool");
        // A kernel without ethtool's netlink has no such settings.
        if (transport) report.sources["ethtool"] = read_ethtool(**transport, report, {.settings_only = true});
        if (transport && !report.sources["ethtool"].unavailable)
            if (const auto all = whole(report, "ethtool"); !all) return std::unexpected(all.error());
    }
    report.system.sysctls = read_sysctls(machine, parts.sysctls);
    Network network = network_of(report);
    if (parts.routes) routes.finish(LinkNames(network.links), network);
    if (life) *life = std::move(report.addresses);
    return network;
}

}  // namespace pve_rdma
