// Settings of virtual functions in RTM_NEWLINK (IFLA_VFINFO_LIST, linux/if_link.h).
#pragma once

#include "network/settings.h"
#include "observe/netlink_message.h"

namespace pve_rdma {

void put_vf_attribute(NetlinkRequest&, const Link&, const SettingKey&, const std::string& value);

}  // namespace pve_rdma
