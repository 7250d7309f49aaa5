// Many MADs at once over one transport: a window that adapts, timeouts, retries, and a deadline over all.
//
// SMPs travel on VL15, which has no flow control: their window starts at MadOptions.window_start and grows by
// one for each window of answers, up to window_max; a timeout halves it, once for all SMPs that were on the
// wire together. Other MADs have flow control and a window that stays at window_start. Retries wait twice as
// long as the attempt before, and let new requests go first. At the deadline whatever is not answered fails:
// a frozen HCA costs no more than that. Threads: one. Handlers run inside run(); they may submit more.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "facts/fabric.h"
#include "mad/mad_options.h"
#include "mad/rmpp.h"
#include "mad/transport.h"

namespace pve_rdma {

struct MadReply {
    // The attribute, at least payload_of(class).size octets; valid during the handler. SubnAdmGetTable: all
    // records one after another.
    std::span<const std::uint8_t> payload;
    // SubnAdmGetTable: octets from one record to the next; 0 when there is no record.
    std::size_t record_octets = 0;
};

using MadHandler = std::function<void(const Result<MadReply>&)>;

class MadEngine {
  public:
    MadEngine(MadTransport& transport, const MadOptions& options);

    void submit(const MadRequest& request, MadHandler handler);
    // Until every request has ended, those submitted by handlers included. The deadline counts from the first
    // call.
    void run();
    const MadStatistics& statistics() const { return statistics_; }

  private:
    struct Pending {
        MadRequest request;
        MadHandler handler;
        std::uint32_t attempt = 0;
        MadTime not_before{};
    };
    struct OnWire {
        Pending pending;
        MadTime sent, due;
        std::optional<RmppTransfer> transfer;
    };
    // Requests that share a window.
    struct Lane {
        std::deque<Pending> queue;
        std::vector<Pending> retries;
        std::uint32_t window = 1, on_wire = 0;
        bool idle() const { return queue.empty() && retries.empty() && on_wire == 0; }
    };

    Lane& lane_of(const MadRequest& request);
    bool idle() const { return smps_.idle() && others_.idle(); }
    OnWire take_off(std::uint32_t transaction);
    void pump(Lane& lane, MadTime now);
    void send(Lane& lane, Pending pending, MadTime now);
    void arrive(const IncomingMad& mad, MadTime now);
    void reply(OnWire on_wire, std::span<const std::uint8_t> octets);
    // False when the segment ended its transfer.
    bool segment(std::uint32_t transaction, OnWire& on_wire, const IncomingMad& mad, MadTime now);
    void expire(MadTime now);
    void timed_out(OnWire on_wire, MadTime now);
    void retry(Pending pending, MadTime not_before);
    void fail(Pending pending, Error error);
    void fail_all(const Error& error);
    MadTime next_event(MadTime end) const;
    OutgoingMad outgoing(const Pending& pending) const;
    std::uint32_t timeout_ms(std::uint32_t attempt) const;
    void answered(const MadRequest& request);
    void lost(const OnWire& on_wire, MadTime now);

    MadTransport& transport_;
    MadOptions options_;
    MadStatistics statistics_;
    Lane smps_, others_;
    std::unordered_map<std::uint32_t, OnWire> wire_;
    std::uint32_t transaction_;
    std::uint32_t growth_ = 0;
    std::optional<MadTime> begin_;
    MadTime halved_{};
};

}  // namespace pve_rdma
