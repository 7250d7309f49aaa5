// Many MADs at once over one transport: a window that adapts, timeouts, retries, and a deadline over all.
//
// The window starts at MadOptions.window_start and grows by one for each window of answers, up to window_max;
// a timeout halves it, once for all MADs that were on the wire together. Retries wait twice as long as the
// attempt before. At the deadline whatever is not answered fails: a frozen HCA costs no more than that.
// Threads: one. Handlers run inside run(); they may submit more.
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

    void pump(MadTime now);
    bool send(Pending pending, MadTime now);
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
    void answered();
    void lost(MadTime sent, MadTime now);

    MadTransport& transport_;
    MadOptions options_;
    MadStatistics statistics_;
    std::deque<Pending> queue_;
    std::vector<Pending> retries_;
    std::unordered_map<std::uint32_t, OnWire> wire_;
    std::uint32_t transaction_;
    std::uint32_t window_, growth_ = 0;
    std::optional<MadTime> begin_;
    MadTime halved_{};
};

}  // namespace pve_rdma
