// How netlink messages travel: the kernel's socket, or a stand-in for it in tests.
//
// One transport is one socket of one netlink protocol. Threads: one thread uses a transport at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/error.h"

namespace pve_rdma {

class NetlinkTransport {
  public:
    virtual ~NetlinkTransport() = default;

    // One or more whole messages, each with its header.
    virtual Result<void> send(std::span<const std::byte> messages) = 0;

    // The next datagram; valid until the next call. Empty when there is none: at once without `wait`, after
    // the transport's time limit with it. errno ENOBUFS: the kernel dropped messages for want of room;
    // EMSGSIZE: the datagram was longer than the buffer, which has grown since.
    virtual Result<std::span<const std::byte>> receive(bool wait) = 0;

    // Groups are numbers (RTNLGRP_LINK), as in NETLINK_ADD_MEMBERSHIP.
    virtual Result<void> subscribe(std::uint32_t group) = 0;

    // The address that the kernel puts into nlmsg_pid of its answers to us.
    virtual std::uint32_t port() const = 0;

    std::uint32_t next_sequence() { return ++sequence_; }

  private:
    std::uint32_t sequence_ = 0;
};

// A socket of the running kernel (netlink(7)): strict checking of requests and extended acknowledgements are
// on. protocol: NETLINK_ROUTE, NETLINK_GENERIC, NETLINK_RDMA. groups: a mask of the groups 1 to 32 to
// subscribe to (bit 0 is group 1). ErrorCode::unavailable when the kernel lacks the protocol.
Result<std::unique_ptr<NetlinkTransport>> open_netlink(int protocol, const std::string& subject,
                                                       std::uint32_t groups = 0);

}  // namespace pve_rdma
