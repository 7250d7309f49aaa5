#include <rdma/rdma_netlink.h>

#include "facts/rdma_words.h"
#include "observe/netlink_table.h"
#include "observe/rdma_netlink.h"

namespace pve_rdma {

namespace {

constexpr Words<2> netns_modes{"exclusive", "shared"};
// Since Linux 6.7; not in older headers.
constexpr std::uint16_t attr_privileged_qkey = RDMA_NLDEV_SYS_ATTR_COPY_ON_FORK + 3;

template <auto member>
bool guid(Octets payload, RdmaDevice& device) {
    const auto value = payload_as<std::uint64_t>(payload);
    if (value) device.*member = Guid{*value};
    return value.has_value();
}

bool capability_bits(Octets payload, Port& port) {
    const auto bits = payload_as<std::uint64_t>(payload);
    if (!bits) return false;
    port.cap_mask = *bits & 0xffffffffU;
    if (*bits >> 32) port.cap_mask2 = static_cast<std::uint32_t>(*bits >> 32);
    port.cap_flags = port_capability_words(*bits);
    return true;
}

constexpr AttributeTable<RdmaDevice, RDMA_NLDEV_ATTR_MAX> device_table{
    {RDMA_NLDEV_ATTR_DEV_INDEX, number<&RdmaDevice::index>},
    {RDMA_NLDEV_ATTR_DEV_NAME, text<&RdmaDevice::name>},
    {RDMA_NLDEV_ATTR_FW_VERSION, text<&RdmaDevice::fw_ver>},
    {RDMA_NLDEV_ATTR_NODE_GUID, guid<&RdmaDevice::node_guid>},
    {RDMA_NLDEV_ATTR_SYS_IMAGE_GUID, guid<&RdmaDevice::sys_image_guid>},
    {RDMA_NLDEV_ATTR_DEV_NODE_TYPE, named<&RdmaDevice::node_type, node_type_words>},
    {RDMA_NLDEV_ATTR_DEV_PROTOCOL, text<&RdmaDevice::protocol>},
    {RDMA_NLDEV_ATTR_DEV_DIM, number<&RdmaDevice::adaptive_moderation>},
};

constexpr AttributeTable<Port, RDMA_NLDEV_ATTR_MAX> port_table{
    {RDMA_NLDEV_ATTR_PORT_INDEX, number<&Port::number>},
    {RDMA_NLDEV_ATTR_CAP_FLAGS, capability_bits},
    {RDMA_NLDEV_ATTR_SUBNET_PREFIX, number<&Port::subnet_prefix>},
    {RDMA_NLDEV_ATTR_LID, number<&Port::lid>},
    {RDMA_NLDEV_ATTR_SM_LID, number<&Port::sm_lid>},
    {RDMA_NLDEV_ATTR_LMC, number<&Port::lmc>},
    {RDMA_NLDEV_ATTR_PORT_STATE, named<&Port::state, port_state_words>},
    {RDMA_NLDEV_ATTR_PORT_PHYS_STATE, named<&Port::phys_state, phys_state_words>},
    {RDMA_NLDEV_ATTR_NDEV_INDEX, number<&Port::ifindex>},
    {RDMA_NLDEV_ATTR_NDEV_NAME, text<&Port::netdev>},
};

constexpr AttributeTable<RdmaSubsystem, attr_privileged_qkey + 1> subsystem_table{
    {RDMA_NLDEV_SYS_ATTR_NETNS_MODE, named<&RdmaSubsystem::netns, netns_modes>},
    {RDMA_NLDEV_SYS_ATTR_COPY_ON_FORK, number<&RdmaSubsystem::copy_on_fork>},
    {attr_privileged_qkey, number<&RdmaSubsystem::privileged_qkey>},
};

// A list of entries, each a name and a number.
template <class Map>
void named_numbers(Octets list, std::uint16_t name_type, std::uint16_t value_type, Map& map) {
    for_each_attribute(list, [&](const NetlinkAttribute& entry) {
        const auto name = find_attribute(entry.payload, name_type);
        const auto value = find_attribute(entry.payload, value_type);
        if (name && value && payload_number(*value))
            map.insert_or_assign(std::string(payload_text(*name)), *payload_number(*value));
    });
}

}  // namespace

void decode_rdma_device(Octets attributes, RdmaDevice& device) {
    device_table.decode(attributes, device);
}

void decode_rdma_port(Octets attributes, Port& port) {
    port_table.decode(attributes, port);
}

void decode_rdma_resources(Octets attributes, RdmaDevice& device) {
    if (const auto summary = find_attribute(attributes, RDMA_NLDEV_ATTR_RES_SUMMARY))
        named_numbers(*summary, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME,
                      RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR, device.resources);
}

void decode_rdma_counters(Octets attributes, Port& port) {
    if (const auto counters = find_attribute(attributes, RDMA_NLDEV_ATTR_STAT_HWCOUNTERS))
        named_numbers(*counters, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME,
                      RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE, port.hw_counters);
}

void decode_rdma_subsystem(Octets attributes, RdmaSubsystem& subsystem) {
    subsystem_table.decode(attributes, subsystem);
}

}  // namespace pve_rdma
