// The reliable multi-packet protocol, receiving side (IBA vol. 1, 13.6), for transports that hand out
// segments. SubnAdmGetTable's answers come by it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mad/mad.h"

namespace pve_rdma {

// The RMPP header, octets 24 to 35 of a MAD.
struct RmppHeader {
    static constexpr std::uint32_t data = 1, ack = 2, stop = 3, abort = 4;  // type
    static constexpr std::uint32_t active = 1, first = 2, last = 4;         // flags

    std::uint32_t version = 0, type = 0, response_time = 0, flags = 0, status = 0;
    std::uint32_t segment = 0;  // of a data or ack packet: from 1
    std::uint32_t length = 0;   // data: octets (first: of all segments; last: of this one); ack: window end

    template <class Visit>
    static constexpr void wire(Visit&& visit) {
        visit("version", &RmppHeader::version, 192, 8);
        visit("type", &RmppHeader::type, 200, 8);
        visit("response_time", &RmppHeader::response_time, 208, 5);
        visit("flags", &RmppHeader::flags, 213, 3);
        visit("status", &RmppHeader::status, 216, 8);
        visit("segment", &RmppHeader::segment, 224, 32);
        visit("length", &RmppHeader::length, 256, 32);
    }
};

// One transfer. Segments come in order, or come again: a gap is answered by acknowledging what stands before
// it, and the sender goes back there.
class RmppTransfer {
  public:
    static constexpr std::size_t max_octets = std::size_t{4} << 20;  // 64 hosts' records are 10 kB
    static constexpr std::uint32_t window = 16;                      // segments granted ahead

    struct Step {
        std::optional<MadOctets> acknowledge;
        bool complete = false;
    };
    // An error ends the transfer: the sender stopped it, or broke the protocol.
    Result<Step> take(std::span<const std::uint8_t> segment);

    // The SA header of the first segment and the data of all.
    const std::vector<std::uint8_t>& octets() const { return octets_; }

  private:
    MadOctets acknowledgement(std::span<const std::uint8_t> segment) const;

    std::vector<std::uint8_t> octets_;
    std::uint32_t taken_ = 0;  // segments
    bool complete_ = false;
};

}  // namespace pve_rdma
