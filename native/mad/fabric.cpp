#include "mad/fabric.h"

#include "mad/ask.h"
#include "mad/umad_transport.h"

namespace pve_rdma {

namespace {

// Chooses and opens the port, and hands both to `ask`.
template <class Ask>
auto with_port(const PortChoice& choice, Ask ask)
    -> decltype(ask(std::declval<MadTransport&>(), LocalPort{})) {
    std::vector<Unread> unread;
    auto port = choose_port(umad_ports(unread), choice);
    if (!port) {
        Error error = port.error();
        for (const auto& one : unread)
            error.message += "; " + one.what + ": " + one.text;
        return std::unexpected(error);
    }
    auto transport = open_umad(*port);
    if (!transport) return std::unexpected(transport.error());
    return ask(**transport, *port);
}

}  // namespace

Result<FabricSm> fabric_sm(const PortChoice& choice, const MadOptions& options) {
    return with_port(choice, [&](MadTransport& transport, const LocalPort& port) {
        return ask_sm(transport, port, options);
    });
}

Result<FabricPort> fabric_port(const PortChoice& choice, Lid lid, std::optional<std::uint32_t> number,
                               const MadOptions& options) {
    return with_port(choice, [&](MadTransport& transport, const LocalPort& port) {
        return ask_port(transport, port, lid.value(), number, options);
    });
}

Result<FabricPath> fabric_path(const PortChoice& choice, Lid from, Lid to, const MadOptions& options) {
    return with_port(choice, [&](MadTransport& transport, const LocalPort& port) {
        return ask_path(transport, port, from.value(), to.value(), options);
    });
}

Result<FabricWalk> fabric_walk(const PortChoice& choice, const MadOptions& options) {
    return with_port(choice, [&](MadTransport& transport, const LocalPort& port) {
        return ask_walk(transport, port, options);
    });
}

}  // namespace pve_rdma
