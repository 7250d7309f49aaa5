#include "observe/mtu_probe.h"

#include <algorithm>
#include <cerrno>
#include <deque>

#include "observe/mtu_search.h"

namespace pve_rdma {

namespace {

using Clock = EchoTransport::Clock;
using std::chrono::milliseconds;

// Sizes every host has to take, so that an answer says "there" and not yet anything about the path: 64 octets
// of ICMP behind the IP header (RFC 791: 576 for IPv4, 8200: 1280 for IPv6 are the most that may be relied
// on).
constexpr std::uint32_t small_v4 = 84, small_v6 = 104;

// What may be on the way at once: little enough for a socket's receive buffer and for small switches.
constexpr std::uint32_t most_octets = 512 * 1024;
constexpr std::size_t most_requests = 256;

struct Peer {
    MtuSearch search;
    EchoTarget target;
    std::uint32_t silent_in_a_row = 0;
    std::optional<Clock::duration> shortest{}, longest{};  // round trips
};

struct Request {
    std::size_t peer = 0;
    std::uint32_t size = 0;
    Clock::time_point sent{}, due{};
    bool open = false;     // nobody has answered it yet; also after its time is up
    bool waiting = false;  // its time is not up
};

class Probing {
  public:
    Probing(EchoTransport& transport, const std::vector<MtuTarget>& targets, const MtuProbeOptions& options)
        : transport_(transport), options_(options), requests_(0x10000) {
        for (std::size_t i = 0; i < targets.size(); ++i) {
            const auto& [target, largest] = targets[i];
            peers_.push_back({.search = MtuSearch({.smallest = target.address.is_v6() ? small_v6 : small_v4,
                                                   .largest = largest,
                                                   .retries = options.retries}),
                              .target = target});
            ready_.push_back(i);
        }
    }

    std::vector<MtuProbe> run() {
        const auto end = transport_.now() + milliseconds(options_.deadline_ms);
        for (;;) {
            send_ready();
            const auto now = transport_.now();
            if (waiting_.empty() || now >= end) break;
            transport_.wait(std::chrono::ceil<milliseconds>(
                std::clamp(next_due() - now, Clock::duration::zero(), Clock::duration(end - now))));
            while (const auto event = transport_.receive())
                take(*event);
            expire();
        }
        std::vector<MtuProbe> results;
        for (const auto& peer : peers_) {
            auto& result = results.emplace_back(peer.search.result());
            if (peer.shortest)
                result.rtt_ms = std::chrono::duration<double, std::milli>(*peer.shortest).count();
        }
        return results;
    }

  private:
    void send_ready() {
        while (!ready_.empty()) {
            const std::size_t index = ready_.front();
            const auto size = peers_[index].search.next();
            if (size && !waiting_.empty() &&
                (waiting_.size() >= most_requests || octets_ + *size > most_octets))
                return;
            ready_.pop_front();
            if (size) send(index, *size);
        }
    }

    void send(std::size_t index, std::uint32_t size) {
        Peer& peer = peers_[index];
        const std::uint16_t sequence = ++sequence_;
        const auto now = transport_.now();
        const auto sent = transport_.send(peer.target, sequence, size);
        peer.search.sent(size);
        // ENOBUFS: it was lost on the way out, as it might be anywhere.
        if (!sent && sent.error().errno_value != ENOBUFS) {
            if (sent.error().errno_value == EMSGSIZE) {
                peer.search.too_big_for_own_link(size);
            } else {
                peer.search.unreachable({}, Unread::from(sent.error()));
                peer.search.unanswered(size);
            }
            ready_.push_back(index);
            return;
        }
        requests_[sequence] = {index, size, now, now + patience(peer), true, true};
        waiting_.push_back(sequence);
        octets_ += size;
    }

    Clock::duration patience(const Peer& peer) const {
        if (peer.longest) return 3 * *peer.longest + milliseconds(150);
        return milliseconds(options_.timeout_ms) * std::min(peer.silent_in_a_row + 1, 3U);
    }

    Clock::time_point next_due() const {
        auto due = Clock::time_point::max();
        for (const auto sequence : waiting_)
            due = std::min(due, requests_[sequence].due);
        return due;
    }

    void take(const EchoEvent& event) {
        Request& request = requests_[event.sequence];
        if (!request.open) return;
        Peer& peer = peers_[request.peer];
        switch (event.kind) {
            case EchoEvent::Kind::reply: {
                if (event.from != peer.target.address || event.size != request.size) return;
                const auto trip = transport_.now() - request.sent;
                peer.shortest = std::min(peer.shortest.value_or(trip), trip);
                peer.longest = std::max(peer.longest.value_or(trip), trip);
                peer.silent_in_a_row = 0;
                peer.search.answered(request.size);
                break;
            }
            case EchoEvent::Kind::too_big:
                peer.search.too_big(request.size, event.from, event.mtu);
                break;
            case EchoEvent::Kind::unreachable:
                peer.search.unreachable(
                    event.from, Unread::from(errno_error(event.errno_value, peer.target.address.text(),
                                                         "cannot be reached")));
                if (request.waiting) peer.search.unanswered(request.size);
                break;
        }
        request.open = false;
        close(event.sequence);
    }

    void expire() {
        const auto now = transport_.now();
        // A copy: close() takes out of it.
        const auto waiting = waiting_;
        for (const auto sequence : waiting) {
            const Request& request = requests_[sequence];
            if (request.due > now) continue;
            Peer& peer = peers_[request.peer];
            ++peer.silent_in_a_row;
            peer.search.unanswered(request.size);
            close(sequence);
        }
    }

    // Nothing more is waited for; an open request may still be answered.
    void close(std::uint16_t sequence) {
        Request& request = requests_[sequence];
        if (!request.waiting) return;
        request.waiting = false;
        std::erase(waiting_, sequence);
        octets_ -= request.size;
        ready_.push_back(request.peer);
    }

    EchoTransport& transport_;
    MtuProbeOptions options_;
    std::vector<Peer> peers_;
    std::vector<Request> requests_;  // by sequence number
    std::vector<std::uint16_t> waiting_;
    std::deque<std::size_t> ready_;
    std::uint32_t octets_ = 0;
    std::uint16_t sequence_ = 0;
};

}  // namespace

std::vector<MtuProbe> probe_mtus(EchoTransport& transport, const std::vector<MtuTarget>& targets,
                                 const MtuProbeOptions& options) {
    return Probing(transport, targets, options).run();
}

}  // namespace pve_rdma
