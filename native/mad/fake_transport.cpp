// The wires of a FakeFabric: what leaves a port, what arrives there, and when.
#include <algorithm>
#include <cerrno>

#include "mad/fake_agents.h"
#include "mad/rmpp.h"

namespace pve_rdma {

namespace {

// The kernel puts the agent's number there.
void overwrite_high_transaction(MadOctets& mad) {
    write_bits(mad, 64, 32, 0x0000002a);
}

bool is_smp(const MadOctets& mad) {
    const auto management_class = static_cast<MadClass>(mad[1]);
    return management_class == MadClass::subnet || management_class == MadClass::subnet_directed;
}

std::vector<std::uint8_t> octets_of(const MadOctets& mad) {
    return {mad.begin(), mad.end()};
}

// What the kernel hands out after it has taken in all segments.
std::vector<std::uint8_t> joined(const std::vector<MadOctets>& segments) {
    RmppTransfer transfer;
    for (const auto& segment : segments)
        if (!transfer.take(segment)) break;
    return transfer.octets();
}

}  // namespace

class FakeTransport : public MadTransport {
  public:
    FakeTransport(FakeFabric& fabric, LinkEnd end) : fabric_(fabric), end_(end) {}

    Result<void> send(const OutgoingMad& mad) override { return fabric_.send(end_, mad); }
    Result<std::optional<IncomingMad>> receive(MadTime until) override { return fabric_.receive(until); }
    MadTime now() const override { return fabric_.now(); }
    bool joins_segments() const override { return fabric_.joins_segments; }

  private:
    FakeFabric& fabric_;
    LinkEnd end_;
};

std::unique_ptr<MadTransport> FakeFabric::open(LinkEnd end) {
    return std::make_unique<FakeTransport>(*this, end);
}

std::optional<LinkEnd> FakeFabric::follow(LinkEnd from, const MadOctets& mad) const {
    const auto header = read_wire<MadHeader>(mad);
    LinkEnd at = from;
    for (std::uint32_t hop = 1; hop <= header.hop_count && hop < 64; ++hop) {
        const std::uint32_t out = mad[128 + hop];
        const FakeNode& node = nodes_[at.node];
        const bool leaves = hop == 1 ? out == from.port || node.info.is_switch() : node.info.is_switch();
        if (!leaves || out == 0 || out >= node.ports.size()) return std::nullopt;
        const auto& peer = node.ports[out].peer;
        if (!peer) return std::nullopt;
        at = *peer;
    }
    return at;
}

Result<void> FakeFabric::send(LinkEnd from, const OutgoingMad& mad) {
    run_events();
    ++received_;
    if (mad.timeout_ms == 0) {  // an acknowledgement
        acknowledge(mad);
        return {};
    }
    if (frozen) return {};
    const bool smp = is_smp(mad.octets);
    const bool directed = mad.management_class() == MadClass::subnet_directed;
    std::vector<MadOctets> answers;
    std::uint32_t hops = directed ? mad.octets[7] : 2;
    const bool crowded = smp && vl15_limit && smps_under_way_ >= vl15_limit;
    if (!crowded && !(lost && lost(mad.octets))) {
        const auto to = directed ? follow(from, mad.octets) : find_lid(from, mad.lid);
        if (to) answers = FakeAgents(*this).answer(*to, mad.octets);
    }
    if (answers.empty()) {
        Arrival back{{.status = ETIMEDOUT, .octets = octets_of(mad.octets)}, smp};
        // Only the header comes back.
        std::fill(back.mad.octets.begin() + 24, back.mad.octets.end(), std::uint8_t{0});
        deliver(std::chrono::milliseconds(mad.timeout_ms), std::move(back));
        return {};
    }
    for (auto& answer : answers)
        overwrite_high_transaction(answer);
    const auto after = delay * (2 * hops + 1);
    if (answers.size() == 1 || joins_segments) {
        const bool rmpp =
            mad.octets[3] == mad_method::get_table && read_wire<MadHeader>(answers[0]).status == 0;
        deliver(
            after,
            {{.status = 0, .octets = rmpp && joins_segments ? joined(answers) : octets_of(answers[0])}, smp});
        return {};
    }
    const auto transaction = read_bits(mad.octets, 96, 32);
    transfers_[transaction] = {std::move(answers), 0, 1};
    send_segments(transaction);
    return {};
}

void FakeFabric::send_segments(std::uint64_t transaction) {
    Transfer& transfer = transfers_[transaction];
    for (; transfer.sent < transfer.segments.size() && transfer.sent < transfer.window_end; ++transfer.sent) {
        const MadOctets& segment = transfer.segments[transfer.sent];
        if (!(lost && lost(segment))) deliver(delay, {{.status = 0, .octets = octets_of(segment)}, false});
    }
}

void FakeFabric::acknowledge(const OutgoingMad& mad) {
    const auto header = read_wire<RmppHeader>(mad.octets);
    const auto found = transfers_.find(read_bits(mad.octets, 96, 32));
    if (header.type != RmppHeader::ack || found == transfers_.end()) return;
    ++acknowledged_;
    Transfer& transfer = found->second;
    transfer.window_end = std::min<std::size_t>(header.length, transfer.segments.size());
    // An acknowledgement of less than was sent: a segment is missing, go back to it.
    if (header.segment < transfer.sent && arrivals_.empty()) transfer.sent = header.segment;
    if (header.segment >= transfer.segments.size())
        transfers_.erase(found);
    else
        send_segments(found->first);
}

void FakeFabric::deliver(std::chrono::microseconds after, Arrival arrival) {
    if (arrival.smp) ++smps_under_way_;
    arrivals_.emplace(now_ + after, std::move(arrival));
}

void FakeFabric::run_events() {
    while (!events_.empty() && events_.begin()->first <= now_) {
        const auto event = std::move(events_.begin()->second);
        events_.erase(events_.begin());
        event();
    }
}

std::optional<IncomingMad> FakeFabric::receive(MadTime until) {
    const auto first = arrivals_.begin();
    if (first == arrivals_.end() || first->first > until) {
        now_ = std::max(now_, until);
        run_events();
        return std::nullopt;
    }
    now_ = std::max(now_, first->first);
    run_events();
    Arrival arrival = std::move(first->second);
    arrivals_.erase(first);
    if (arrival.smp) --smps_under_way_;
    return std::move(arrival.mad);
}

}  // namespace pve_rdma
