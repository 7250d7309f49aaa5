#include "operations/connection.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/process_stat.h"

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

}  // namespace

std::string calling_connection(const Machine& machine) {
    std::int64_t process = ::getpid();
    for (int step = 0; step < highest_ancestor && process > 1; ++step) {
        const std::string folder = fmt::format("/proc/{}/", process);
        if (const auto environment = machine.bytes(folder + "environ", environment_limit))
            if (auto connection = variable(*environment, "SSH_CONNECTION"); !connection.empty())
                return connection;
        const auto stat = machine.text(folder + "stat");
        const auto fields = stat ? parse_process_stat(*stat) : std::nullopt;
        if (!fields) break;
        process = fields->parent;
    }
    return {};
}

std::optional<IpAddress> caller_address(const std::string& connection) {
    const auto address = IpAddress::parse(connection.substr(0, connection.find(' ')));
    return address ? std::optional(*address) : std::nullopt;
}

}  // namespace pve_rdma
