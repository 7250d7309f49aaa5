// A made-up path to each peer, with a clock of its own: links that drop what is too large without a word,
// routers that say so, loss, delay, firewalls. A state machine, not canned replies: it answers any search.
#pragma once

#include <cerrno>
#include <map>
#include <random>
#include <vector>

#include "observe/echo_transport.h"

namespace pve_rdma::test {

struct FakeHop {
    std::uint32_t mtu = 9000;
    bool speaks = true;     // a router that names its MTU; else a switch or a bridge that drops
    std::string address{};  // of a router
    bool names_mtu = true;  // old routers say only that it is too large
};

struct FakePeer {
    std::vector<FakeHop> hops{};
    bool answers = true;  // false: away, or its firewall drops ICMP
    double loss = 0;      // of each request with its reply
    std::chrono::milliseconds delay{1};
    std::uint32_t own_link = 0xffffffff;  // larger is refused by the kernel here
    int send_errno = 0;                   // the kernel refuses every request
    int icmp_errno = 0;                   // a router answers every request with an ICMP error
};

class FakePath final : public EchoTransport {
  public:
    std::map<std::string, FakePeer> peers{};  // by address; others are away
    std::uint32_t requests = 0, on_the_way_most = 0;
    std::uint32_t room = 0xffffffff;  // replies that a receive buffer takes

    Result<void> send(const EchoTarget& target, std::uint16_t sequence, std::uint32_t size) override {
        ++requests;
        const auto found = peers.find(target.address.text());
        if (found == peers.end()) return {};
        const FakePeer& peer = found->second;
        if (peer.send_errno)
            return std::unexpected(errno_error(peer.send_errno, target.address.text(), "not sent"));
        if (size > peer.own_link)
            return std::unexpected(errno_error(EMSGSIZE, target.address.text(), "too large"));
        const auto at = now_ + peer.delay;
        if (std::uniform_real_distribution<>(0, 1)(random_) < peer.loss) return {};
        const auto router = IpAddress::parse("203.0.113.9");
        if (peer.icmp_errno) {
            add(at, {.kind = EchoEvent::Kind::unreachable,
                     .sequence = sequence,
                     .from = *router,
                     .errno_value = peer.icmp_errno});
            return {};
        }
        for (const auto& hop : peer.hops) {
            if (size <= hop.mtu) continue;
            if (hop.speaks)
                add(at, {.kind = EchoEvent::Kind::too_big,
                         .sequence = sequence,
                         .from = *IpAddress::parse(hop.address),
                         .mtu = hop.names_mtu ? hop.mtu : 0});
            return {};
        }
        if (peer.answers)
            add(at,
                {.kind = EchoEvent::Kind::reply, .sequence = sequence, .from = target.address, .size = size});
        return {};
    }
    std::optional<EchoEvent> receive() override {
        if (events_.empty() || events_.begin()->first > now_) return std::nullopt;
        const EchoEvent event = events_.begin()->second;
        events_.erase(events_.begin());
        return event;
    }
    void wait(std::chrono::milliseconds longest) override {
        const auto until = now_ + longest;
        now_ = events_.empty() ? until : std::max(now_, std::min(until, events_.begin()->first));
    }
    Clock::time_point now() override { return now_; }

  private:
    void add(Clock::time_point at, const EchoEvent& event) {
        if (events_.size() >= room) return;
        events_.emplace(at, event);
        on_the_way_most = std::max(on_the_way_most, static_cast<std::uint32_t>(events_.size()));
    }
    std::multimap<Clock::time_point, EchoEvent> events_;
    Clock::time_point now_{};
    std::minstd_rand random_{7};
};

}  // namespace pve_rdma::test
