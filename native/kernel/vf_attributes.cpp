#include "kernel/vf_attributes.h"

#include <algorithm>

#include <linux/if_link.h>

#include <endian.h>

#include "base/number.h"

namespace pve_rdma {

namespace {

// The VLAN's priority is not ours to change: it goes back as it is.
std::uint32_t priority_of(const Link& link, std::uint32_t number) {
    const auto vf = std::ranges::find(link.vfinfo_list, number, &Vf::vf);
    if (vf == link.vfinfo_list.end()) return 0;
    if (vf->vlan_list && !vf->vlan_list->empty()) return vf->vlan_list->front().qos.value_or(0);
    return vf->qos.value_or(0);
}

std::uint64_t guid_in(const std::string& value) {
    std::uint64_t guid = 0;
    if (const auto address = HardwareAddress::parse(value); address && address->length == sizeof guid)
        std::memcpy(&guid, address->octets.data(), sizeof guid);
    return be64toh(guid);
}

}  // namespace

void put_vf_attribute(NetlinkRequest& request, const Link& link, const SettingKey& setting,
                      const std::string& value) {
    const std::uint32_t vf = setting.vf;
    const auto put = [&](NetlinkRequest& info) {
        const auto key = setting.rule->key;
        if (key == "vf.mac") {
            ifla_vf_mac mac{.vf = vf, .mac = {}};
            if (const auto address = HardwareAddress::parse(value))
                std::ranges::copy(address->bytes(), mac.mac);
            info.bytes_of(IFLA_VF_MAC, mac);
        } else if (key == "vf.vlan") {
            const auto vlan = parse_number<std::uint32_t>(value).value_or(0);
            info.bytes_of(IFLA_VF_VLAN,
                          ifla_vf_vlan{.vf = vf, .vlan = vlan, .qos = vlan ? priority_of(link, vf) : 0});
        } else if (key == "vf.trust") {
            info.bytes_of(IFLA_VF_TRUST, ifla_vf_trust{.vf = vf, .setting = value == "true"});
        } else if (key == "vf.spoofchk") {
            info.bytes_of(IFLA_VF_SPOOFCHK, ifla_vf_spoofchk{.vf = vf, .setting = value == "true"});
        } else if (key == "vf.node_guid" || key == "vf.port_guid") {
            info.bytes_of(key == "vf.node_guid" ? IFLA_VF_IB_NODE_GUID : IFLA_VF_IB_PORT_GUID,
                          ifla_vf_guid{.vf = vf, .guid = guid_in(value)});
        }
    };
    request.nested(IFLA_VFINFO_LIST, [&](NetlinkRequest& list) { list.nested(IFLA_VF_INFO, put); });
}

}  // namespace pve_rdma
