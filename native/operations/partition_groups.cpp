#include "operations/partition_groups.h"

#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "operations/reports.h"

namespace pve_rdma {

namespace {

constexpr std::chrono::seconds limit{30};
constexpr std::chrono::milliseconds pause{500};

// What is missing; none when all is there.
std::optional<std::string> missing(const NodeReport& report, const DesiredPartition& wanted) {
    std::string answer = "no port of this node is in it";
    for (const auto& device : report.devices)
        for (const auto& port : device.ports)
            for (const auto& one : port.subnet ? port.subnet->ipoib_groups : std::vector<IpoibGroup>{}) {
                if (one.pkey.partition() != wanted.key()) continue;
                if (one.group && one.group->mtu == *wanted.mtu) return std::nullopt;
                answer =
                    one.group ? fmt::format("it has {}", one.group->mtu) : "the manager knows no such group";
            }
    return fmt::format("partition {} does not have MTU {}: {}", wanted.name, *wanted.mtu, answer);
}

}  // namespace

bool is_master_here(const NodeReport& report) {
    const auto own = report.port_guids();
    for (const auto& device : report.devices)
        for (const auto& port : device.ports)
            if (port.subnet && port.subnet->sm && port.subnet->sm->state == "MASTER" &&
                own.contains(port.subnet->sm->guid))
                return true;
    return false;
}

Result<void> wait_for_groups(const DesiredSubnetManager& wanted) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (true) {
        const auto report = observe({.sections = {"devices", "subnet"}});
        if (!report) return std::unexpected(report.error());
        std::optional<std::string> lacks;
        for (const auto& partition : wanted.partitions)
            if (partition.mtu && !absent(partition.state) && !lacks) lacks = missing(*report, partition);
        if (!lacks) return {};
        if (std::chrono::steady_clock::now() >= end)
            return std::unexpected(Error{.code = ErrorCode::machine,
                                         .subject = "subnet_manager",
                                         .message = *lacks,
                                         .hint = "the manager's log says why: /var/log/opensm.*.log"});
        std::this_thread::sleep_for(pause);
    }
}

}  // namespace pve_rdma
