// The way MADs leave and arrive: a HCA's port, a fabric in this process, or a recorded conversation.
//
// A transport has its own clock, so that a fabric in this process can let a second pass in no time. It
// transports one MAD at a time and knows nothing of windows, retries or deadlines: those are MadEngine's.
// Threads: one thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mad/mad.h"

namespace pve_rdma {

using MadTime = std::chrono::steady_clock::time_point;

struct OutgoingMad {
    MadOctets octets{};
    std::uint16_t lid = 0;  // 0xffff, the permissive LID, for direct routes
    std::uint8_t sl = 0;
    std::uint32_t qpn = 0, qkey = 0;
    // How long the transport may wait for the reply before it hands the MAD back with ETIMEDOUT; 0: no reply
    // is expected. A transport need not keep this promise (a frozen driver does not).
    std::uint32_t timeout_ms = 0;

    MadClass management_class() const { return static_cast<MadClass>(octets[1]); }
};

struct IncomingMad {
    // 0: a MAD from the fabric. Otherwise the errno with which an own MAD came back.
    int status = 0;
    // Never fewer than 256 octets; more when the transport joined the segments of an RMPP transfer: then the
    // header of the first, and all data. Of an own MAD that came back only the header is sure. The low half
    // of the transaction id is the sender's own, the high half is not.
    std::vector<std::uint8_t> octets;

    std::uint32_t transaction() const { return static_cast<std::uint32_t>(read_bits(octets, 96, 32)); }
};

class MadTransport {
  public:
    virtual ~MadTransport() = default;

    virtual Result<void> send(const OutgoingMad&) = 0;
    // The next MAD, or nothing when `until` passes. An error means that the port is gone.
    virtual Result<std::optional<IncomingMad>> receive(MadTime until) = 0;
    virtual MadTime now() const = 0;
    // Whether RMPP transfers arrive whole (the kernel does that), or by segments that want to be
    // acknowledged.
    virtual bool joins_segments() const = 0;
};

}  // namespace pve_rdma
