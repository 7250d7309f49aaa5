// The messages of rtnetlink that a plan is made of: those of kernel/requests.h, from this room's values. Each
// asks for an acknowledgement.
#pragma once

#include "ifup/kernel.h"
#include "kernel/requests.h"
#include "observe/netlink_message.h"

namespace pve_rdma::ifup {

NetlinkRequest create_child(const std::string& name, std::uint32_t parent, PKey, std::optional<IpoibMode>);
NetlinkRequest delete_link(std::uint32_t index);
NetlinkRequest set_mode(std::uint32_t index, IpoibMode);
NetlinkRequest set_mtu(std::uint32_t index, std::uint32_t mtu);
NetlinkRequest set_up(std::uint32_t index);

NetlinkRequest add_address(std::uint32_t index, const AddressEntry&);
// The address as it is, with another metric and mark.
NetlinkRequest resend_address(const AddressState&, std::uint32_t metric, std::uint8_t protocol);

NetlinkRequest route_request(ObjectChange, std::uint32_t index, const RouteEntry&);
NetlinkRequest rule_request(ObjectChange, const RuleEntry&);

}  // namespace pve_rdma::ifup
