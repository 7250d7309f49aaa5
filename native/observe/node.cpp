#include "observe/node.h"

#include <algorithm>
#include <chrono>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "observe/devlink.h"
#include "observe/ethtool.h"
#include "observe/interfaces_file.h"
#include "observe/kernel_log.h"
#include "observe/modules.h"
#include "observe/packages.h"
#include "observe/pci.h"
#include "observe/rdma_netlink.h"
#include "observe/rtnetlink.h"
#include "observe/services.h"
#include "observe/storage.h"
#include "observe/sysfs.h"
#include "observe/system.h"
#include "observe/verbs.h"

namespace pve_rdma {

namespace {

struct Observer {
    std::string_view source;       // the name in NodeReport::sources
    std::string_view sections[3];  // what it fills, or others need of it; it runs when one of them is wanted
    void (*observe)(const Machine&, const NodeScope&, NodeReport&);
};

template <void (*Observe)(const Machine&, NodeReport&)>
void plain(const Machine& machine, const NodeScope&, NodeReport& report) {
    Observe(machine, report);
}

void pci(const Machine& machine, const NodeScope& scope, NodeReport& report) {
    observe_pci(machine, report, scope.serial_numbers);
}

// Links, addresses, routes and rules are one section: they belong to one moment. Other sections need the
// links.
void rtnetlink(const Machine& machine, const NodeScope& scope, NodeReport& report) {
    const bool all = scope.wants("links");
    observe_rtnetlink(machine, report, {.addresses = all, .routes = all, .rules = all});
}

void ethtool(const Machine& machine, const NodeScope& scope, NodeReport& report) {
    observe_ethtool(machine, report, {.serial_numbers = scope.serial_numbers});
}

void devlink(const Machine& machine, const NodeScope& scope, NodeReport& report) {
    observe_devlink(machine, report, {.serial_numbers = scope.serial_numbers});
}

// In this order: an observer fills only what those before it left empty, the cheap sources first.
constexpr Observer observers[] = {
    {"system", {"system"}, plain<observe_system>},
    {"pci", {"pci"}, pci},
    {"modules", {"modules"}, plain<observe_modules>},
    {"packages", {"packages"}, plain<observe_packages>},
    {"storage", {"system"}, plain<observe_storage>},
    {"interfaces", {"interfaces"}, plain<observe_interfaces>},
    {"services", {"system"}, plain<observe_services>},
    {"kernel-log", {"system"}, plain<observe_kernel_log>},
    {"rtnetlink", {"links", "ethtool", "devices"}, rtnetlink},
    {"sysfs", {"links"}, plain<observe_sysfs_links>},
    {"ethtool", {"ethtool"}, ethtool},
    {"devlink", {"devlink"}, devlink},
    {"rdma-netlink", {"devices"}, plain<observe_rdma_netlink>},
    {"verbs", {"devices"}, plain<observe_verbs>},
    {"sysfs", {"devices"}, plain<observe_sysfs>},
};

bool wanted(const NodeScope& scope, const Observer& observer) {
    return std::ranges::any_of(observer.sections, [&](std::string_view section) {
        return !section.empty() && scope.wants(section);
    });
}

std::string now() {
    const auto seconds = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)));
}

}  // namespace

bool NodeScope::wants(std::string_view section) const {
    return sections.empty() || std::ranges::find(sections, section) != sections.end();
}

std::vector<std::string_view> node_sections() {
    std::vector<std::string_view> sections;
    for (const auto& observer : observers)
        for (const auto& section : observer.sections)
            if (!section.empty() && std::ranges::find(sections, section) == sections.end())
                sections.push_back(section);
    return sections;
}

NodeReport observe_node(const Machine& machine, const NodeScope& scope) {
    NodeReport report;
    report.taken = now();
    report.tool = PVE_RDMA_VERSION;
    report.root = machine.root();
    for (const auto& observer : observers)
        if (wanted(scope, observer)) observer.observe(machine, scope, report);
    return report;
}

}  // namespace pve_rdma
