#include "operations/connection.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/number.h"

namespace pve_rdma {

namespace {

constexpr std::size_t environment_limit = 256 * 1024;
constexpr int highest_ancestor = 32;

// proc(5): variables end in NUL.
std::string variable(const std::string& environment, std::string_view name) {
    const std::string begin = std::string(name) + "=";
    for (std::size_t at = 0; at < environment.size();) {
        const std::size_t end = std::min(environment.find('\0', at), environment.size());
        if (environment.compare(at, begin.size(), begin) == 0)
            return environment.substr(at + begin.size(), end - at - begin.size());
        at = end + 1;
    }
    return {};
}

// The parent in /proc/PID/stat: "PID (NAME) STATE PPID"; the name may hold anything.
std::optional<int> parent_of(const std::string& stat) {
    const auto end = stat.rfind(')');
    if (end == std::string::npos || end + 4 > stat.size()) return std::nullopt;
    const std::string rest = stat.substr(end + 4);
    return parse_number<int>(rest.substr(0, rest.find(' ')));
}

}  // namespace

std::string calling_connection(const Machine& machine) {
    int process = ::getpid();
    for (int step = 0; step < highest_ancestor && process > 1; ++step) {
        const std::string folder = fmt::format("/proc/{}/", process);
        if (const auto environment = machine.bytes(folder + "environ", environment_limit))
            if (auto connection = variable(*environment, "SSH_CONNECTION"); !connection.empty())
                return connection;
        const auto stat = machine.text(folder + "stat");
        const auto parent = stat ? parent_of(*stat) : std::nullopt;
        if (!parent) break;
        process = *parent;
    }
    return {};
}

std::optional<IpAddress> caller_address(const std::string& connection) {
    const auto address = IpAddress::parse(connection.substr(0, connection.find(' ')));
    return address ? std::optional(*address) : std::nullopt;
}

}  // namespace pve_rdma
