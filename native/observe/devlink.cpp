#include "observe/devlink.h"

#include <algorithm>
#include <cerrno>

#include <linux/devlink.h>

#include "observe/rtnetlink.h"

namespace pve_rdma {

namespace {

std::string handle_of(Octets attributes) {
    const auto bus = find_attribute(attributes, DEVLINK_ATTR_BUS_NAME);
    const auto name = find_attribute(attributes, DEVLINK_ATTR_DEV_NAME);
    if (!bus || !name) return {};
    return std::string(payload_text(*bus)) + "/" + std::string(payload_text(*name));
}

DevlinkDevice* device_of(NodeReport& report, Octets attributes) {
    const std::string handle = handle_of(attributes);
    if (handle.empty()) return nullptr;
    const auto found = std::ranges::find(report.devlink, handle, &DevlinkDevice::handle);
    if (found != report.devlink.end()) return &*found;
    report.devlink.push_back({.handle = handle});
    return &report.devlink.back();
}

template <class Take>
NetlinkDump dump(const GenericFamily& family, std::uint8_t command, const char* what, NodeReport& report,
                 Take&& take) {
    NetlinkDump dump{.what = what, .request = generic_request(family, command, NLM_F_DUMP)};
    dump.message = [&report, take](const NetlinkMessage& message) {
        const Octets attributes = generic_attributes(message);
        if (DevlinkDevice* device = device_of(report, attributes)) take(attributes, *device);
    };
    return dump;
}

// No device or driver has the thing, or the kernel is older.
bool is_absent(const Error& error) {
    return error.errno_value == EOPNOTSUPP || error.errno_value == ENODEV || error.errno_value == EINVAL;
}

void read_eswitches(NetlinkTransport& transport, const GenericFamily& family, NodeReport& report,
                    Source& source) {
    for (auto& device : report.devlink) {
        const auto slash = device.handle.find('/');
        NetlinkRequest request = generic_request(family, DEVLINK_CMD_ESWITCH_GET, 0);
        request.text(DEVLINK_ATTR_BUS_NAME, device.handle.substr(0, slash));
        request.text(DEVLINK_ATTR_DEV_NAME, device.handle.substr(slash + 1));
        const auto asked = ask(transport, "ESWITCH_GET " + device.handle, std::move(request),
                               [&](const NetlinkMessage& message) {
                                   decode_devlink_eswitch(generic_attributes(message), device);
                               });
        if (!asked && !is_absent(asked.error())) source.unread.push_back(Unread::from(asked.error()));
    }
}

}  // namespace

Source read_devlink(NetlinkTransport& transport, NodeReport& report, const DevlinkOptions& options) {
    const auto family = find_family(transport, "devlink");
    if (!family) return Source::failed(family.error());

    report.devlink.clear();
    std::vector<NetlinkDump> devices;
    devices.push_back(
        dump(*family, DEVLINK_CMD_GET, "DEVLINK_CMD_GET", report, [](Octets, DevlinkDevice&) {}));
    devices.front().start_over = [&report] { report.devlink.clear(); };
    Source source;
    for (const auto& failure : run_dumps(transport, devices))
        source.unread.push_back(Unread::from(failure.error));
    if (report.devlink.empty()) return source;

    const auto each = [&](auto member) {
        for (auto& device : report.devlink)
            (device.*member).clear();
    };
    std::vector<NetlinkDump> parts;
    parts.push_back(dump(*family, DEVLINK_CMD_INFO_GET, "DEVLINK_CMD_INFO_GET", report,
                         [&options](Octets attributes, DevlinkDevice& device) {
                             decode_devlink_info(attributes, options.serial_numbers, device);
                         }));
    parts.push_back(dump(*family, DEVLINK_CMD_PORT_GET, "DEVLINK_CMD_PORT_GET", report,
                         [](Octets attributes, DevlinkDevice& device) {
                             decode_devlink_port(attributes, device.ports.emplace_back());
                         }));
    parts.back().start_over = [each] { each(&DevlinkDevice::ports); };
    parts.push_back(dump(*family, DEVLINK_CMD_PARAM_GET, "DEVLINK_CMD_PARAM_GET", report,
                         [](Octets attributes, DevlinkDevice& device) {
                             if (auto parameter = decode_devlink_parameter(attributes))
                                 device.parameters.push_back(std::move(*parameter));
                         }));
    parts.back().start_over = [each] { each(&DevlinkDevice::parameters); };
    parts.push_back(dump(*family, DEVLINK_CMD_HEALTH_REPORTER_GET, "DEVLINK_CMD_HEALTH_REPORTER_GET", report,
                         [](Octets attributes, DevlinkDevice& device) {
                             if (auto reporter = decode_devlink_reporter(attributes))
                                 device.reporters.push_back(std::move(*reporter));
                         }));
    parts.back().start_over = [each] { each(&DevlinkDevice::reporters); };
    for (const auto& failure : run_dumps(transport, parts))
        if (!is_absent(failure.error)) source.unread.push_back(Unread::from(failure.error));
    read_eswitches(transport, *family, report, source);
    return source;
}

void observe_devlink(const Machine& machine, NodeReport& report, const DevlinkOptions& options) {
    auto& source = report.sources["devlink"];
    if (!machine.live()) {
        source = recorded_source();
        return;
    }
    const auto transport = open_netlink(NETLINK_GENERIC, "devlink");
    source = transport ? read_devlink(**transport, report, options) : Source::failed(transport.error());
}

}  // namespace pve_rdma
