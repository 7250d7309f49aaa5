#include <linux/devlink.h>

#include "observe/devlink.h"
#include "observe/netlink_table.h"

namespace pve_rdma {

namespace {

constexpr Words<4> port_types{"notset", "auto", "eth", "ib"};
constexpr Words<8> flavours{"physical", "cpu", "dsa", "pcipf", "pcivf", "virtual", "unused", "pcisf"};
constexpr Words<3> cmodes{"runtime", "driverinit", "permanent"};
constexpr Words<2> eswitch_modes{"legacy", "switchdev"};
constexpr Words<4> inline_modes{"none", "link", "network", "transport"};
constexpr Words<2> encap_modes{"none", "basic"};
constexpr Words<2> reporter_states{"healthy", "error"};

// One version: a name and a value.
template <auto member>
bool version(Octets payload, DevlinkDevice& device) {
    const auto name = find_attribute(payload, DEVLINK_ATTR_INFO_VERSION_NAME);
    const auto value = find_attribute(payload, DEVLINK_ATTR_INFO_VERSION_VALUE);
    if (!name || !value) return false;
    (device.*member).insert_or_assign(std::string(payload_text(*name)), std::string(payload_text(*value)));
    return true;
}

constexpr AttributeTable<DevlinkDevice, DEVLINK_ATTR_MAX + 1> info_table{
    {DEVLINK_ATTR_INFO_DRIVER_NAME, text<&DevlinkDevice::driver>},
    {DEVLINK_ATTR_INFO_SERIAL_NUMBER, text<&DevlinkDevice::serial_number>},
    {DEVLINK_ATTR_INFO_BOARD_SERIAL_NUMBER, text<&DevlinkDevice::board_serial_number>},
    {DEVLINK_ATTR_INFO_VERSION_FIXED, version<&DevlinkDevice::fixed>},
    {DEVLINK_ATTR_INFO_VERSION_RUNNING, version<&DevlinkDevice::running>},
    {DEVLINK_ATTR_INFO_VERSION_STORED, version<&DevlinkDevice::stored>},
};

constexpr AttributeTable<DevlinkDevice, DEVLINK_ATTR_MAX + 1> eswitch_table{
    {DEVLINK_ATTR_ESWITCH_MODE, named<&DevlinkDevice::eswitch_mode, eswitch_modes>},
    {DEVLINK_ATTR_ESWITCH_INLINE_MODE, named<&DevlinkDevice::eswitch_inline_mode, inline_modes>},
    {DEVLINK_ATTR_ESWITCH_ENCAP_MODE, named<&DevlinkDevice::eswitch_encap_mode, encap_modes>},
};

constexpr AttributeTable<DevlinkPort, DEVLINK_ATTR_MAX + 1> port_table{
    {DEVLINK_ATTR_PORT_INDEX, number<&DevlinkPort::index>},
    {DEVLINK_ATTR_PORT_TYPE, named<&DevlinkPort::type, port_types>},
    {DEVLINK_ATTR_PORT_DESIRED_TYPE, named<&DevlinkPort::desired_type, port_types>},
    {DEVLINK_ATTR_PORT_NETDEV_IFINDEX, number<&DevlinkPort::ifindex>},
    {DEVLINK_ATTR_PORT_NETDEV_NAME, text<&DevlinkPort::netdev>},
    {DEVLINK_ATTR_PORT_IBDEV_NAME, text<&DevlinkPort::ibdev>},
    {DEVLINK_ATTR_PORT_FLAVOUR, named<&DevlinkPort::flavour, flavours>},
    {DEVLINK_ATTR_PORT_NUMBER, number<&DevlinkPort::number>},
    {DEVLINK_ATTR_PORT_SPLIT_SUBPORT_NUMBER, number<&DevlinkPort::split_subport>},
    {DEVLINK_ATTR_PORT_LANES, number<&DevlinkPort::lanes>},
    {DEVLINK_ATTR_PORT_SPLITTABLE, number<&DevlinkPort::splittable>},
};

constexpr AttributeTable<DevlinkReporter, DEVLINK_ATTR_MAX + 1> reporter_table{
    {DEVLINK_ATTR_HEALTH_REPORTER_NAME, text<&DevlinkReporter::name>},
    {DEVLINK_ATTR_HEALTH_REPORTER_STATE, named<&DevlinkReporter::state, reporter_states>},
    {DEVLINK_ATTR_HEALTH_REPORTER_ERR_COUNT, number<&DevlinkReporter::error>},
    {DEVLINK_ATTR_HEALTH_REPORTER_RECOVER_COUNT, number<&DevlinkReporter::recover>},
    {DEVLINK_ATTR_HEALTH_REPORTER_GRACEFUL_PERIOD, number<&DevlinkReporter::grace_period>},
    {DEVLINK_ATTR_HEALTH_REPORTER_AUTO_RECOVER, number<&DevlinkReporter::auto_recover>},
    {DEVLINK_ATTR_HEALTH_REPORTER_AUTO_DUMP, number<&DevlinkReporter::auto_dump>},
};

// The value of a parameter by its type (NLA_U8 .. NLA_FLAG: the numbers of the kernel's attribute types). A
// flag is true when its data attribute is there.
std::string parameter_value(std::uint64_t type, const std::optional<Octets>& data) {
    constexpr std::uint64_t string_type = 5, flag_type = 6;
    if (type == flag_type) return data ? "true" : "false";
    if (!data) return "";
    if (type == string_type) return std::string(payload_text(*data));
    const auto value = payload_number(*data);
    return value ? std::to_string(*value) : hex_octets(*data);
}

}  // namespace

void decode_devlink_info(Octets attributes, bool serial_numbers, DevlinkDevice& device) {
    info_table.decode(attributes, device);
    if (serial_numbers) return;
    device.serial_number.reset();
    device.board_serial_number.reset();
}

void decode_devlink_eswitch(Octets attributes, DevlinkDevice& device) {
    eswitch_table.decode(attributes, device);
}

void decode_devlink_port(Octets attributes, DevlinkPort& port) {
    port_table.decode(attributes, port);
}

std::optional<DevlinkParameter> decode_devlink_parameter(Octets attributes) {
    const auto parameter = find_attribute(attributes, DEVLINK_ATTR_PARAM);
    if (!parameter) return std::nullopt;
    const auto name = find_attribute(*parameter, DEVLINK_ATTR_PARAM_NAME);
    if (!name) return std::nullopt;
    DevlinkParameter out;
    out.name = payload_text(*name);
    out.generic = find_attribute(*parameter, DEVLINK_ATTR_PARAM_GENERIC).has_value();
    const auto type = find_attribute(*parameter, DEVLINK_ATTR_PARAM_TYPE);
    const std::uint64_t type_number = type ? payload_number(*type).value_or(0) : 0;
    if (const auto values = find_attribute(*parameter, DEVLINK_ATTR_PARAM_VALUES_LIST))
        for_each_attribute(*values, [&](const NetlinkAttribute& value) {
            const auto cmode = find_attribute(value.payload, DEVLINK_ATTR_PARAM_VALUE_CMODE);
            if (!cmode) return;
            out.values[word_of(cmodes, payload_number(*cmode).value_or(0))] =
                parameter_value(type_number, find_attribute(value.payload, DEVLINK_ATTR_PARAM_VALUE_DATA));
        });
    return out;
}

std::optional<DevlinkReporter> decode_devlink_reporter(Octets attributes) {
    const auto reporter = find_attribute(attributes, DEVLINK_ATTR_HEALTH_REPORTER);
    if (!reporter) return std::nullopt;
    DevlinkReporter out;
    reporter_table.decode(*reporter, out);
    if (const auto port = find_attribute(attributes, DEVLINK_ATTR_PORT_INDEX))
        number<&DevlinkReporter::port>(*port, out);
    return out;
}

}  // namespace pve_rdma
