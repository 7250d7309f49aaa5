// Octets from a fabric: no decoder, no RMPP transfer, no conversation and no recording may do worse than give
// an error. The first octet says what the rest is.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <deque>

#include "mad/ask.h"
#include "mad/codec.h"
#include "mad/fabric.h"
#include "mad/recording.h"
#include "mad/rmpp.h"

using namespace pve_rdma;

namespace {

using Octets = std::span<const std::uint8_t>;

// The wire fields of what was decoded are written and read again to the same value.
template <class T>
void round_trip(const T& value) {
    std::array<std::uint8_t, 256> octets{};
    write_wire(value, octets);
    const T again = read_wire<T>(octets);
    T::wire([&](const char*, auto member, unsigned, unsigned) {
        if (!(value.*member == again.*member)) std::abort();
    });
}

void decode_everything(Octets data) {
    std::array<std::uint8_t, 256> octets{};
    std::copy_n(data.begin(), std::min(data.size(), octets.size()), octets.begin());
    const std::span<const std::uint8_t, 256> all(octets);
    round_trip(decode_port_info(all.first<64>()));
    round_trip(decode_node_info(all.first<64>()));
    round_trip(decode_switch_info(all.first<64>()));
    round_trip(decode_mellanox_ext_port_info(all.first<64>()));
    round_trip(decode_sm_info(all.first<64>(), 1));
    round_trip(decode_path_record(all.first<200>()));
    round_trip(decode_mc_member_record(all.first<200>()));
    round_trip(decode_port_counters(all.first<192>()));
    round_trip(decode_port_counters_extended(all.first<192>()));
    round_trip(decode_class_port_info(all));
    (void)decode_sm_info_record(all.first<sm_info_record_octets + 4>());
    if (decode_node_description(all.first<64>()).size() > 64 * 3) std::abort();
    std::vector<PKey> pkeys;
    decode_pkey_block(all.first<64>(), pkeys);
    std::vector<Guid> guids;
    decode_guid_block(all.first<64>(), guids);
}

void join_segments(Octets data) {
    RmppTransfer transfer;
    while (!data.empty()) {
        const auto size = std::min<std::size_t>(data.size(), 256);
        std::vector<std::uint8_t> segment(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(size));
        if (size > 30) segment.resize(256);
        const auto step = transfer.take(segment);
        if (!step || step->complete) break;
        if (transfer.octets().size() > RmppTransfer::max_octets + 56) std::abort();
        data = data.subspan(size);
    }
}

// Answers each MAD with octets of the input: now and then with the header that makes them an answer.
class FuzzTransport : public MadTransport {
  public:
    explicit FuzzTransport(Octets data) : data_(data) {}

    Result<void> send(const OutgoingMad& mad) override {
        if (data_.empty()) return {};
        const std::uint8_t how = data_[0];
        data_ = data_.subspan(1);
        IncomingMad answer;
        answer.status = how & 0x08 ? 110 : 0;
        answer.octets.assign(mad.octets.begin(), mad.octets.end());
        const bool right_header = how & 0x01;
        const std::size_t from = right_header ? 56 : 0;
        const auto size = std::min<std::size_t>(data_.size(), how & 0x02 ? 256 - from : 64);
        std::copy_n(data_.begin(), size, answer.octets.begin() + static_cast<std::ptrdiff_t>(from));
        data_ = data_.subspan(size);
        if (right_header) answer.octets[3] |= 0x80;
        if (how & 0x10) answer.octets.resize(how);
        if (how & 0x20) answer.octets.resize(256 + how * 8u);
        waiting_.push_back(std::move(answer));
        return {};
    }
    Result<std::optional<IncomingMad>> receive(MadTime until) override {
        if (waiting_.empty()) {
            now_ = std::max(now_, until);
            return std::nullopt;
        }
        auto mad = std::move(waiting_.front());
        waiting_.pop_front();
        return mad;
    }
    MadTime now() const override { return now_; }
    bool joins_segments() const override { return joins_; }
    bool joins_ = true;

  private:
    Octets data_;
    std::deque<IncomingMad> waiting_;
    MadTime now_{std::chrono::hours(1)};
};

void converse(Octets data, bool joins) {
    LocalPort local;
    local.via.lid = 5;
    local.via.sm_lid = 1;
    const MadOptions options{.timeout_ms = 10, .retries = 1, .deadline_ms = 500};
    FuzzTransport transport(data);
    transport.joins_ = joins;
    const auto walk = ask_walk(transport, local, options);
    if (walk) {
        for (const auto& link : walk->links)
            if (link.from.node >= walk->nodes.size() || link.to.node >= walk->nodes.size()) std::abort();
        (void)render_text(*walk);
        (void)render_dot(*walk);
    }
    FuzzTransport again(data);
    again.joins_ = joins;
    if (const auto sm = ask_sm(again, local, options)) (void)render_text(*sm);
    FuzzTransport third(data);
    if (const auto port = ask_port(third, local, 7, std::nullopt, options)) (void)render_text(*port);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const Octets rest(data + 1, size - 1);
    switch (data[0] % 4) {
        case 0:
            decode_everything(rest);
            break;
        case 1:
            join_segments(rest);
            break;
        case 2:
            converse(rest, data[0] & 0x80);
            break;
        default:
            (void)ReplayTransport::parse({reinterpret_cast<const char*>(rest.data()), rest.size()}, "fuzz");
    }
    return 0;
}
