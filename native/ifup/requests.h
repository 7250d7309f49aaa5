// The messages of rtnetlink that a plan is made of. Sources: linux/rtnetlink.h, if_link.h, if_addr.h,
// fib_rules.h. Each asks for an acknowledgement.
#pragma once

#include "ifup/kernel.h"
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

enum class RouteChange { add, replace, remove };
NetlinkRequest route_request(RouteChange, std::uint32_t index, const RouteEntry&);
NetlinkRequest rule_request(bool add, const RuleEntry&);

}  // namespace pve_rdma::ifup
