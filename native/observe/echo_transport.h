// How echo requests travel: the kernel's ICMP sockets (icmp_sockets.h), or a path made up by a test.
//
// Sizes are those of whole IP packets. Every request forbids fragmentation. Threads: one at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/error.h"
#include "facts/ip_address.h"

namespace pve_rdma {

struct EchoTarget {
    IpAddress address{};
    std::uint32_t scope = 0;  // ifindex, for link-local addresses; 0: none
};

struct EchoEvent {
    enum class Kind {
        reply,       // from the target
        too_big,     // ICMP "fragmentation needed" or "packet too big"
        unreachable  // any other ICMP error
    };
    Kind kind = Kind::reply;
    std::uint16_t sequence = 0;  // of the request that it belongs to
    IpAddress from{};  // who sent it: the target, or a router; this node itself when no neighbour answers
    std::uint32_t size = 0;  // of a reply
    std::uint32_t mtu = 0;   // of too_big; 0: not named
    int errno_value = 0;     // of unreachable, as the kernel translates it: EHOSTUNREACH
};

class EchoTransport {
  public:
    using Clock = std::chrono::steady_clock;
    virtual ~EchoTransport() = default;

    // One echo request. An error is of this request only; errno EMSGSIZE: larger than the own link takes,
    // ENOBUFS: try later.
    virtual Result<void> send(const EchoTarget&, std::uint16_t sequence, std::uint32_t size) = 0;
    // What has arrived, one at a time; none when nothing has.
    virtual std::optional<EchoEvent> receive() = 0;
    // Returns when something may have arrived, or after `longest`.
    virtual void wait(std::chrono::milliseconds longest) = 0;
    virtual Clock::time_point now() = 0;
};

}  // namespace pve_rdma
