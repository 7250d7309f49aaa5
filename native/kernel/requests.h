// The messages of rtnetlink that change a network, from the values of network/entries.h. Sources:
// linux/rtnetlink.h, if_link.h, if_addr.h, fib_rules.h. None asks for an acknowledgement
// (NetlinkRequest::acknowledged does).
//
// Each names its key whole, so that it cannot hit another object than the one that is meant: what exists is
// not added to (NLM_F_EXCL), a route is deleted with table, metric, protocol, gateway and device.
#pragma once

#include <functional>

#include "network/entries.h"
#include "network/settings.h"
#include "observe/netlink_message.h"

namespace pve_rdma {

using IndexOf = std::function<std::uint32_t(const std::string& link)>;  // ifindex; 0: there is no such link

NetlinkRequest make_link_request(const LinkEntry&, const IndexOf&);
NetlinkRequest delete_link_request(std::uint32_t index);
NetlinkRequest mtu_request(std::uint32_t index, std::uint32_t mtu);
NetlinkRequest up_request(std::uint32_t index, bool up);
// Any setting whose way is link_message. `value` is canonical.
NetlinkRequest setting_request(const Link&, const SettingKey&, const std::string& value, const IndexOf&);

enum class ObjectChange { add, replace, remove };

struct LifeTimes {
    std::uint32_t valid = UINT32_MAX, preferred = UINT32_MAX;  // s; all ones: for ever
};
// IPv4 replaces metric, protocol and life times of an address only, IPv6 all but its length.
NetlinkRequest address_request(ObjectChange, std::uint32_t index, const AddressEntry&, const LifeTimes& = {});

// bad_request when a word (table, scope, type ...) is none that the kernel knows. A removal names no MTU: the
// kernel would compare it too.
Result<NetlinkRequest> route_request(ObjectChange, std::uint32_t index, const RouteEntry&);
// A rule is added or removed; the kernel replaces none.
Result<NetlinkRequest> rule_request(ObjectChange, const RuleEntry&);

}  // namespace pve_rdma
