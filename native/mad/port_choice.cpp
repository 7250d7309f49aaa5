#include "mad/port_choice.h"

#include <fmt/format.h>

namespace pve_rdma {

namespace {

// Higher is better; 0: cannot be asked from.
int fitness(const LocalPort& port) {
    if (!port.infiniband) return 0;
    if (port.via.state == "ACTIVE") return 3;
    if (port.via.state == "ARMED") return 2;
    return port.via.state == "INIT" ? 1 : 0;
}

std::string name(const LocalPort& port) {
    return fmt::format("{} port {}", port.via.ca, port.via.port);
}

}  // namespace

Result<LocalPort> choose_port(const std::vector<LocalPort>& ports, const PortChoice& choice) {
    std::string subject = choice.ca.empty() ? "InfiniBand port" : choice.ca;
    if (choice.port) subject += fmt::format(" port {}", choice.port);
    const LocalPort* best = nullptr;
    std::string seen;
    for (const auto& port : ports) {
        if (!choice.ca.empty() && port.via.ca != choice.ca) continue;
        if (choice.port && port.via.port != choice.port) continue;
        seen += fmt::format("{}{} is {}", seen.empty() ? "" : ", ", name(port),
                            port.infiniband ? port.via.state : "an Ethernet port");
        if (fitness(port) && (!best || fitness(port) > fitness(*best))) best = &port;
    }
    if (best) return *best;
    if (!seen.empty())
        return std::unexpected(Error{
            .code = ErrorCode::unavailable,
            .subject = subject,
            .message = "no port can be asked from: " + seen,
            .hint = "a port that is DOWN needs a cable and a powered port at its other end; one that is "
                    "an Ethernet port needs its port type changed, if the card can"});
    std::string all;
    for (const auto& port : ports)
        all += (all.empty() ? "" : ", ") + name(port);
    return std::unexpected(Error{
        .code = ErrorCode::not_found,
        .subject = subject,
        .message = ports.empty() ? "this node has no RDMA device" : "there is no such port",
        .hint = ports.empty() ? "is the driver loaded (mlx4_ib, mlx5_ib, ib_qib, ...)?" : "there is " + all});
}

}  // namespace pve_rdma
