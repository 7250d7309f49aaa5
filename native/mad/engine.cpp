#include "mad/engine.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

namespace pve_rdma {

namespace {

using std::chrono::milliseconds;

// What a transport may be late with handing back a MAD that timed out, before the engine takes it for lost.
constexpr milliseconds transport_slack{50};
constexpr std::uint32_t gsi_qkey = 0x80010000;  // IBA 10.2.5: the well-known Q_Key of QP1
constexpr std::uint16_t permissive_lid = 0xffff;
constexpr std::uint16_t busy = 1;
constexpr std::size_t sa_attribute_offset_bit = 44 * 8;  // in units of 8 octets

bool is_smp(const MadRequest& request) {
    return request.management_class == MadClass::subnet ||
           request.management_class == MadClass::subnet_directed;
}

double milliseconds_of(MadTime::duration span) {
    return std::chrono::duration<double, std::milli>(span).count();
}

}  // namespace

MadEngine::MadEngine(MadTransport& transport, const MadOptions& options)
    : transport_(transport),
      options_(options),
      // A run that follows a killed one must not take its late replies for its own.
      transaction_(static_cast<std::uint32_t>(std::chrono::steady_clock::now().time_since_epoch().count())) {
    smps_.window = others_.window = std::clamp(options.window_start, 1u, std::max(1u, options.window_max));
    statistics_.window = smps_.window;
}

MadEngine::Lane& MadEngine::lane_of(const MadRequest& request) {
    return is_smp(request) ? smps_ : others_;
}

void MadEngine::submit(const MadRequest& request, MadHandler handler) {
    lane_of(request).queue.push_back({request, std::move(handler), 0, {}});
}

void MadEngine::run() {
    if (!begin_) begin_ = transport_.now();
    const MadTime end = *begin_ + milliseconds(options_.deadline_ms);
    while (!idle()) {
        MadTime now = transport_.now();
        if (now >= end) {
            statistics_.deadline_reached = true;
            fail_all({.code = ErrorCode::timeout,
                      .message = fmt::format("no answer before the deadline of {} ms", options_.deadline_ms),
                      .errno_value = ETIMEDOUT,
                      .hint = "the HCA or its driver may be stuck; see dmesg, or allow more time"});
            break;
        }
        pump(smps_, now);
        pump(others_, now);
        if (idle()) break;
        auto arrived = transport_.receive(next_event(end));
        now = transport_.now();
        if (!arrived) {
            fail_all(arrived.error());
            break;
        }
        if (*arrived) arrive(**arrived, now);
        expire(now);
    }
    statistics_.ms = milliseconds_of(transport_.now() - *begin_);
    statistics_.window = smps_.window;
}

std::uint32_t MadEngine::timeout_ms(std::uint32_t attempt) const {
    return options_.timeout_ms << std::min(attempt, 8u);
}

OutgoingMad MadEngine::outgoing(const Pending& pending) const {
    const auto& request = pending.request;
    OutgoingMad mad;
    mad.lid = request.management_class == MadClass::subnet_directed ? permissive_lid : request.lid;
    mad.sl = request.sl;
    const bool general =
        request.management_class != MadClass::subnet && request.management_class != MadClass::subnet_directed;
    mad.qpn = general ? 1 : 0;
    mad.qkey = general ? gsi_qkey : 0;
    mad.timeout_ms = timeout_ms(pending.attempt);
    return mad;
}

void MadEngine::pump(Lane& lane, MadTime now) {
    while (lane.on_wire < lane.window) {
        Pending next;
        if (!lane.queue.empty()) {
            next = std::move(lane.queue.front());
            lane.queue.pop_front();
        } else {
            const auto due = std::ranges::find_if(lane.retries,
                                                  [&](const auto& retry) { return retry.not_before <= now; });
            if (due == lane.retries.end()) return;
            next = std::move(*due);
            lane.retries.erase(due);
        }
        send(lane, std::move(next), now);
    }
}

void MadEngine::send(Lane& lane, Pending pending, MadTime now) {
    OutgoingMad mad = outgoing(pending);
    const std::uint32_t transaction = ++transaction_;
    mad.octets = encode_mad(pending.request, transaction);
    if (auto sent = transport_.send(mad); !sent) {
        Error error = sent.error();
        error.subject = pending.request.destination();
        return fail(std::move(pending), std::move(error));
    }
    ++statistics_.sent;
    ++lane.on_wire;
    const MadTime due = now + milliseconds(mad.timeout_ms) + transport_slack;
    wire_.emplace(transaction, OnWire{std::move(pending), now, due, {}});
    statistics_.max_on_wire = std::max(statistics_.max_on_wire, static_cast<std::uint32_t>(wire_.size()));
}

MadEngine::OnWire MadEngine::take_off(std::uint32_t transaction) {
    auto node = wire_.extract(transaction);
    --lane_of(node.mapped().pending.request).on_wire;
    return std::move(node.mapped());
}

void MadEngine::arrive(const IncomingMad& mad, MadTime now) {
    if (mad.octets.size() < std::tuple_size_v<MadOctets>) {  // no MAD is shorter
        ++statistics_.late;
        return;
    }
    const auto found = wire_.find(mad.transaction());
    const auto header = read_wire<MadHeader>(mad.octets);
    if (found == wire_.end() || (mad.status == 0 && !answers(header, found->second.pending.request))) {
        ++statistics_.late;
        return;
    }
    if (mad.status == 0 && !transport_.joins_segments() &&
        header.method == (mad_method::get_table | mad_method::response)) {
        if (segment(found->first, found->second, mad, now)) return;
    }
    OnWire on_wire = take_off(found->first);
    if (mad.status == ETIMEDOUT) return timed_out(std::move(on_wire), now);
    if (mad.status) {
        Error error = errno_error(mad.status, on_wire.pending.request.destination(),
                                  on_wire.pending.request.text() + " could not be sent");
        return fail(std::move(on_wire.pending), std::move(error));
    }
    if (on_wire.transfer) {
        const auto octets = on_wire.transfer->octets();
        return reply(std::move(on_wire), octets);
    }
    reply(std::move(on_wire), mad.octets);
}

bool MadEngine::segment(std::uint32_t transaction, OnWire& on_wire, const IncomingMad& mad, MadTime now) {
    const auto rmpp = read_wire<RmppHeader>(mad.octets);
    // An answer without RMPP is an error, or a table that has no record.
    if (!(rmpp.flags & RmppHeader::active) || rmpp.type == 0) return false;
    if (!on_wire.transfer) on_wire.transfer.emplace();
    auto step = on_wire.transfer->take(mad.octets);
    if (!step) {
        Error error = step.error();
        error.subject = on_wire.pending.request.destination();
        error.message = on_wire.pending.request.text() + ": " + error.message;
        fail(take_off(transaction).pending, std::move(error));
        return true;
    }
    if (step->acknowledge) {
        OutgoingMad ack = outgoing(on_wire.pending);
        ack.octets = *step->acknowledge;
        ack.timeout_ms = 0;
        // A lost acknowledgement costs a repeated segment, nothing else.
        if (transport_.send(ack)) ++statistics_.sent;
    }
    on_wire.due = now + milliseconds(timeout_ms(on_wire.pending.attempt)) + transport_slack;
    return !step->complete;
}

void MadEngine::reply(OnWire on_wire, std::span<const std::uint8_t> octets) {
    Pending& pending = on_wire.pending;
    ++statistics_.answered;
    answered(pending.request);
    const auto header = read_wire<MadHeader>(octets);
    const bool directed = pending.request.management_class == MadClass::subnet_directed;
    const auto status = static_cast<std::uint16_t>(directed ? header.status & 0x7fff : header.status);
    if (status & busy && pending.attempt < options_.retries)
        return retry(std::move(pending), transport_.now() + milliseconds(options_.timeout_ms / 4));
    if (status) return fail(std::move(pending), status_error(pending.request, status));
    const Payload place = payload_of(pending.request.management_class);
    MadReply answer{.payload = octets.subspan(place.offset)};
    if (pending.request.method == mad_method::get_table)
        answer.record_octets = read_bits(octets, sa_attribute_offset_bit, 16) * 8;
    else
        answer.payload = answer.payload.first(place.size);
    if (pending.handler) pending.handler(answer);
}

void MadEngine::expire(MadTime now) {
    std::vector<std::uint32_t> overdue;
    for (const auto& [transaction, on_wire] : wire_)
        if (on_wire.due <= now) overdue.push_back(transaction);
    for (const auto transaction : overdue)
        timed_out(take_off(transaction), now);
}

void MadEngine::timed_out(OnWire on_wire, MadTime now) {
    ++statistics_.timeouts;
    lost(on_wire, now);
    Pending& pending = on_wire.pending;
    if (pending.attempt < options_.retries) return retry(std::move(pending), now);
    std::uint64_t waited = 0;
    for (std::uint32_t attempt = 0; attempt <= pending.attempt; ++attempt)
        waited += timeout_ms(attempt);
    Error error{.code = ErrorCode::timeout,
                .subject = pending.request.destination(),
                .message = fmt::format("{}: no answer to {} attempts within {} ms", pending.request.text(),
                                       pending.attempt + 1, waited),
                .errno_value = ETIMEDOUT};
    error.hint = pending.request.management_class == MadClass::administration
                     ? "is the subnet manager running?"
                     : "the node is gone or hangs, an M_Key protects it, or the fabric drops VL15 packets";
    fail(std::move(pending), std::move(error));
}

void MadEngine::retry(Pending pending, MadTime not_before) {
    ++pending.attempt;
    ++statistics_.retries;
    pending.not_before = not_before;
    auto& retries = lane_of(pending.request).retries;
    retries.push_back(std::move(pending));
}

void MadEngine::fail(Pending pending, Error error) {
    ++statistics_.failed;
    if (pending.handler) pending.handler(std::unexpected(std::move(error)));
}

void MadEngine::fail_all(const Error& error) {
    // Handlers may submit more, which must end too.
    while (!idle()) {
        std::vector<Pending> ending;
        for (auto& [transaction, on_wire] : wire_)
            ending.push_back(std::move(on_wire.pending));
        wire_.clear();
        for (Lane* lane : {&smps_, &others_}) {
            lane->on_wire = 0;
            std::ranges::move(lane->retries, std::back_inserter(ending));
            lane->retries.clear();
            std::ranges::move(lane->queue, std::back_inserter(ending));
            lane->queue.clear();
        }
        for (auto& pending : ending) {
            Error own = error;
            own.subject = pending.request.destination();
            own.message = pending.request.text() + ": " + error.message;
            fail(std::move(pending), std::move(own));
        }
    }
}

MadTime MadEngine::next_event(MadTime end) const {
    MadTime next = end;
    for (const auto& [transaction, on_wire] : wire_)
        next = std::min(next, on_wire.due);
    for (const Lane* lane : {&smps_, &others_})
        if (lane->on_wire < lane->window)
            for (const auto& pending : lane->retries)
                next = std::min(next, pending.not_before);
    return next;
}

void MadEngine::answered(const MadRequest& request) {
    if (!is_smp(request) || ++growth_ < smps_.window) return;
    growth_ = 0;
    if (smps_.window < options_.window_max) ++smps_.window;
}

void MadEngine::lost(const OnWire& on_wire, MadTime now) {
    // SMPs that were on the wire when the window was halved were lost to the same cause.
    if (!is_smp(on_wire.pending.request) || on_wire.sent < halved_) return;
    halved_ = now;
    growth_ = 0;
    smps_.window = std::max(1u, smps_.window / 2);
}

}  // namespace pve_rdma
