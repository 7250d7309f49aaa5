#include "observe/rdma_netlink.h"

#include <cerrno>

#include <rdma/rdma_netlink.h>

#include "observe/netlink_table.h"
#include "observe/rtnetlink.h"

namespace pve_rdma {

namespace {

constexpr std::uint16_t message_type(unsigned command) {
    return static_cast<std::uint16_t>(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command));
}

RdmaDevice* device_of(NodeReport& report, Octets attributes) {
    const auto name = find_attribute(attributes, RDMA_NLDEV_ATTR_DEV_NAME);
    if (!name) return nullptr;
    const std::string text(payload_text(*name));
    if (RdmaDevice* known = report.find_device(text)) return known;
    auto& device = report.devices.emplace_back();
    device.name = text;
    return &device;
}

Port* port_of(RdmaDevice& device, Octets attributes) {
    const auto index = find_attribute(attributes, RDMA_NLDEV_ATTR_PORT_INDEX);
    const auto number = index ? payload_number(*index) : std::nullopt;
    if (!number) return nullptr;
    const auto wanted = static_cast<std::uint32_t>(*number);
    if (Port* known = device.find_port(wanted)) return known;
    auto& port = device.ports.emplace_back();
    port.number = wanted;
    return &port;
}

NetlinkDump dump(unsigned command, const std::string& what, std::function<void(Octets)> take) {
    NetlinkDump dump{.what = what, .request = NetlinkRequest(message_type(command), NLM_F_DUMP)};
    dump.message = [take = std::move(take)](const NetlinkMessage& message) { take(message.body); };
    return dump;
}

void read_counters(NetlinkTransport& transport, RdmaDevice& device, Source& source) {
    for (auto& port : device.ports) {
        NetlinkRequest request(message_type(RDMA_NLDEV_CMD_STAT_GET), 0);
        request.number(RDMA_NLDEV_ATTR_DEV_INDEX, device.index.value_or(0));
        request.number(RDMA_NLDEV_ATTR_PORT_INDEX, port.number);
        const auto what = "RDMA_NLDEV_CMD_STAT_GET " + device.name + "/" + std::to_string(port.number);
        const auto asked = ask(transport, what, std::move(request), [&](const NetlinkMessage& message) {
            decode_rdma_counters(message.body, port);
        });
        // The driver has no counters, or the kernel has no such command.
        if (!asked && asked.error().errno_value != EINVAL && asked.error().errno_value != EOPNOTSUPP)
            source.unread.push_back(Unread::from(asked.error()));
    }
}

}  // namespace

Source read_rdma_netlink(NetlinkTransport& transport, NodeReport& report) {
    Source source;
    const auto run = [&](std::vector<NetlinkDump> dumps) {
        bool all = true;
        for (const auto& failure : run_dumps(transport, dumps)) {
            source.unread.push_back(Unread::from(failure.error));
            all = false;
        }
        return all;
    };

    std::vector<std::string> seen;
    std::vector<NetlinkDump> devices;
    devices.push_back(dump(RDMA_NLDEV_CMD_GET, "RDMA_NLDEV_CMD_GET", [&](Octets attributes) {
        RdmaDevice* device = device_of(report, attributes);
        if (!device) return;
        decode_rdma_device(attributes, *device);
        seen.push_back(device->name);
    }));
    devices.back().start_over = [&seen] { seen.clear(); };
    if (!run(std::move(devices)) && seen.empty()) {
        source.unavailable = source.unread.front().error;
        source.text = source.unread.front().text;
        return source;
    }

    std::vector<NetlinkDump> resources;
    resources.push_back(dump(RDMA_NLDEV_CMD_RES_GET, "RDMA_NLDEV_CMD_RES_GET", [&](Octets attributes) {
        if (RdmaDevice* device = device_of(report, attributes)) decode_rdma_resources(attributes, *device);
    }));
    if (!seen.empty()) run(std::move(resources));

    for (const auto& name : seen) {
        RdmaDevice* device = report.find_device(name);
        if (!device || !device->index) continue;
        std::vector<NetlinkDump> ports;
        ports.push_back(
            dump(RDMA_NLDEV_CMD_PORT_GET, "RDMA_NLDEV_CMD_PORT_GET " + name, [device](Octets attributes) {
                if (Port* port = port_of(*device, attributes)) decode_rdma_port(attributes, *port);
            }));
        ports.back().request.number(RDMA_NLDEV_ATTR_DEV_INDEX, *device->index);
        if (run(std::move(ports))) read_counters(transport, *device, source);
    }

    const auto subsystem =
        ask(transport, "RDMA_NLDEV_CMD_SYS_GET", NetlinkRequest(message_type(RDMA_NLDEV_CMD_SYS_GET), 0),
            [&](const NetlinkMessage& message) { decode_rdma_subsystem(message.body, report.rdma); });
    if (!subsystem) source.unread.push_back(Unread::from(subsystem.error()));
    return source;
}

void observe_rdma_netlink(const Machine& machine, NodeReport& report) {
    auto& source = report.sources["rdma-netlink"];
    if (!machine.live()) {
        source = recorded_source();
        return;
    }
    const auto transport = open_netlink(NETLINK_RDMA, "rdma-netlink");
    if (!transport) {
        Error error = transport.error();
        if (error.errno_value == EPROTONOSUPPORT)
            error.hint = "no RDMA module is loaded: modprobe ib_core (or the driver of the card)";
        source = Source::failed(error);
        return;
    }
    source = read_rdma_netlink(**transport, report);
}

}  // namespace pve_rdma
