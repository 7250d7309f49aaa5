#include "observe/services.h"

#include <algorithm>
#include <cerrno>

#include "base/trimmed.h"
#include "observe/sysfs_values.h"

namespace pve_rdma {

namespace {

constexpr std::size_t max_file = 1u << 20;

template <class Use>
void each_line(std::string_view text, Use&& use) {
    while (!text.empty()) {
        const auto newline = text.find('\n');
        const auto line = trimmed(text.substr(0, newline));
        if (!line.empty() && line.front() != '#' && line.front() != ';') use(line);
        if (newline == std::string_view::npos) break;
        text.remove_prefix(newline + 1);
    }
}

struct Setting {
    std::string_view key, value;
};

Setting split(std::string_view line, std::string_view separators) {
    const auto end = line.find_first_of(separators);
    if (end == std::string_view::npos) return {line, {}};
    return {trimmed(line.substr(0, end)), trimmed(line.substr(end + 1))};
}

constexpr std::initializer_list<const char*> corosync_files{"/etc/pve/corosync.conf",
                                                            "/etc/corosync/corosync.conf"};

// Ceph takes blanks, underscores and dashes in a key for the same.
std::string ceph_key(std::string_view key) {
    std::string out(key);
    std::ranges::replace_if(out, [](char c) { return c == ' ' || c == '-'; }, '_');
    return out;
}

// The first of the files that is there.
std::optional<std::string> first_of(const Machine& machine, Source& source,
                                    std::initializer_list<const char*> paths) {
    for (const char* path : paths) {
        auto text = machine.text(path, max_file);
        if (text) return std::move(*text);
        if (text.error().errno_value != ENOENT && text.error().errno_value != ENOTDIR)
            source.unread.push_back(Unread::from(text.error()));
    }
    return std::nullopt;
}

void append(std::vector<ServiceNetwork>& out, std::vector<ServiceNetwork> more) {
    std::ranges::move(more, std::back_inserter(out));
}

}  // namespace

std::vector<CorosyncNode> corosync_nodes(std::string_view text) {
    std::vector<CorosyncNode> nodes;
    std::optional<CorosyncNode> current;
    each_line(text, [&](std::string_view line) {
        if (line.ends_with('{')) {
            current.reset();
            if (split(line, " {").key == "node") current.emplace();
        } else if (line.front() == '}') {
            if (current) nodes.push_back(std::move(*current));
            current.reset();
        } else if (current) {
            const auto [key, value] = split(line, ":");
            if (key == "name") current->name = printable(value);
            if (key.starts_with("ring") && key.ends_with("_addr"))
                current->links.push_back({printable(key.substr(4, key.size() - 9)), printable(value)});
        }
    });
    return nodes;
}

std::vector<ServiceNetwork> corosync_links(std::string_view text, std::string_view name) {
    std::vector<ServiceNetwork> own;
    for (const auto& node : corosync_nodes(text))
        if (node.name == name)
            for (const auto& link : node.links)
                own.push_back({"corosync link " + link.number, link.address});
    return own;
}

std::vector<CorosyncNode> corosync_peers(const Machine& machine, std::string_view name) {
    Source unsaid;  // observe_services() says what could not be read
    const auto text = first_of(machine, unsaid, corosync_files);
    if (!text) return {};
    auto nodes = corosync_nodes(*text);
    std::erase_if(nodes, [&](const CorosyncNode& node) { return node.name == name; });
    return nodes;
}

std::vector<ServiceNetwork> ceph_networks(std::string_view text) {
    std::vector<ServiceNetwork> networks;
    bool global = false;
    each_line(text, [&](std::string_view line) {
        if (line.front() == '[') {
            global = line == "[global]";
            return;
        }
        if (!global) return;
        const auto [key, value] = split(line, "=");
        const std::string word = ceph_key(key);
        if (word != "public_network" && word != "cluster_network") return;
        for (std::string_view rest = value; !rest.empty();) {  // a list, with commas
            const auto [one, more] = split(rest, ",");
            networks.push_back({word == "public_network" ? "ceph public" : "ceph cluster", printable(one)});
            rest = more;
        }
    });
    return networks;
}

std::vector<ServiceNetwork> migration_network(std::string_view text) {
    std::vector<ServiceNetwork> networks;
    each_line(text, [&](std::string_view line) {
        const auto [key, value] = split(line, ":");
        if (key != "migration") return;
        constexpr std::string_view word = "network=";
        const auto begin = value.find(word);
        if (begin == std::string_view::npos) return;
        const auto rest = value.substr(begin + word.size());
        networks.push_back({"migration", printable(rest.substr(0, rest.find_first_of(", ")))});
    });
    return networks;
}

std::map<std::string, std::string> opensm_settings(std::string_view text) {
    std::map<std::string, std::string> settings;
    each_line(text, [&](std::string_view line) {
        const auto [key, value] = split(line, " \t");
        for (const std::string_view wanted :
             {"guid", "sm_priority", "subnet_prefix", "sminfo_polling_timeout", "polling_retry_number",
              "virt_enabled", "sweep_interval"})
            if (key == wanted) settings[std::string(key)] = printable(value);
    });
    return settings;
}

void observe_services(const Machine& machine, NodeReport& report) {
    Source& source = report.sources["services"];
    System& system = report.system;
    if (const auto text = first_of(machine, source, corosync_files))
        append(system.networks, corosync_links(*text, system.hostname.value_or("")));
    if (const auto text = first_of(machine, source, {"/etc/pve/ceph.conf", "/etc/ceph/ceph.conf"}))
        append(system.networks, ceph_networks(*text));
    if (const auto text = first_of(machine, source, {"/etc/pve/datacenter.cfg"}))
        append(system.networks, migration_network(*text));
    if (const auto text = first_of(machine, source, {"/etc/opensm/opensm.conf", "/etc/rdma/opensm.conf"}))
        system.opensm = opensm_settings(*text);
}

}  // namespace pve_rdma
