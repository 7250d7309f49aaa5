#include "mad/observe_subnet.h"

#include <fmt/format.h>

#include "mad/ask.h"
#include "mad/umad_transport.h"
#include "observe/rtnetlink.h"

namespace pve_rdma {

namespace {

// A report must not wait long for a dead SM: two attempts, and an end.
constexpr MadOptions options{
    .window_start = 4, .window_max = 16, .timeout_ms = 200, .retries = 1, .deadline_ms = 1500};

bool can_be_asked(const Port& port) {
    // Kernels before 2.6.37 and simulators have no link layer to tell: there all is InfiniBand.
    return port.link_layer.value_or("InfiniBand") == "InfiniBand" && port.state && *port.state != "DOWN" &&
           *port.state != "NOP";
}

LocalPort local_port(const RdmaDevice& device, const Port& port) {
    LocalPort out;
    out.infiniband = true;
    out.via.ca = device.name;
    out.via.port = port.number;
    out.via.port_guid = port.port_guid.value_or(Guid{});
    out.via.gid_prefix = port.subnet_prefix.value_or(0);
    out.via.lid = port.lid.value_or(0);
    out.via.sm_lid = port.sm_lid.value_or(0);
    out.via.sm_sl = port.sm_sl.value_or(0);
    out.via.state = *port.state;
    for (const auto& entry : port.pkeys)
        if (entry.pkey.partition() == PKey::default_partition) {
            out.default_pkey_index = static_cast<std::uint16_t>(entry.index);
            break;
        }
    return out;
}

}  // namespace

void observe_subnet(const Machine& machine, NodeReport& report) {
    Source source;
    if (!machine.live()) {
        report.sources["umad"] = recorded_source();
        return;
    }
    bool any = false;
    for (auto& device : report.devices)
        for (auto& port : device.ports) {
            if (!can_be_asked(port)) continue;
            const LocalPort local = local_port(device, port);
            auto transport = open_umad(local);
            if (!transport) {
                source.unread.push_back(Unread::from(transport.error()));
                continue;
            }
            any = true;
            port.subnet = ask_subnet(**transport, local, options);
            if (port.subnet->port_info) port.subnet->port_info->mkey.reset();  // reports are passed on
        }
    // When no port could be opened, nothing came from the source: it says why, once.
    if (!any && !source.unread.empty()) {
        const Unread& why = source.unread.front();
        source.unavailable = why.error;
        source.text = why.what + ": " + why.text;
        if (!why.hint.empty()) source.hint = why.hint;
    }
    if (any || !source.unread.empty()) report.sources["umad"] = source;
}

}  // namespace pve_rdma
