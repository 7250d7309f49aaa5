// Many requests in one go. The kernel takes the messages of one send in order, and goes on behind one that it
// refuses: a batch is no transaction. Success is silent but for the last message, so that answers cannot
// overrun the socket; a refusal comes with its sequence number (Linux, netlink_rcv_skb()).
#pragma once

#include <functional>
#include <vector>

#include "observe/netlink_message.h"
#include "observe/netlink_transport.h"

namespace pve_rdma {

inline constexpr std::size_t largest_batch = 512;  // messages; more gains nothing

struct Refusal {
    std::size_t index = 0;  // among the requests
    Error error{};
};

struct BatchAnswer {
    std::vector<Refusal> refused{};  // in order
    std::optional<Error> broken{};   // answers are missing: what is not refused may be done or not
};

// At most largest_batch of them. `subject` names a request for its error.
BatchAnswer send_batch(NetlinkTransport&, std::span<NetlinkRequest>,
                       const std::function<std::string(std::size_t)>& subject);

// One request that changes something, with its acknowledgement. What passes by itself is waited for, up to 3
// s: EBUSY and EAGAIN while another program holds the kernel's table of links (IPoIB mode), and EINVAL where
// `tentative`: an IPv6 source address is refused for as long as the kernel looks for duplicates of it.
Result<void> ask_patiently(NetlinkTransport&, const std::string& subject, NetlinkRequest,
                           bool tentative = false);

}  // namespace pve_rdma
