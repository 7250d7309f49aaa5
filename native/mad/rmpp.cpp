#include "mad/rmpp.h"

#include <algorithm>

#include <fmt/format.h>

namespace pve_rdma {

namespace {

constexpr std::size_t header_octets = 56;     // up to the SA's data
constexpr std::size_t sa_header_octets = 20;  // of which the RMPP length counts these
constexpr std::size_t segment_data = 200;

Error broken(std::string message) {
    return {.code = ErrorCode::malformed, .subject = "RMPP", .message = std::move(message)};
}

}  // namespace

MadOctets RmppTransfer::acknowledgement(std::span<const std::uint8_t> segment) const {
    MadOctets ack{};
    std::copy_n(segment.begin(), header_octets, ack.begin());
    RmppHeader header;
    header.version = 1;
    header.type = RmppHeader::ack;
    header.flags = RmppHeader::active;
    header.segment = taken_;
    header.length = taken_ + window;
    write_wire(header, ack);
    // An acknowledgement goes the way of the request: without the response bit.
    ack[3] = static_cast<std::uint8_t>(ack[3] & ~mad_method::response);
    return ack;
}

Result<RmppTransfer::Step> RmppTransfer::take(std::span<const std::uint8_t> segment) {
    if (segment.size() < header_octets + segment_data)
        return std::unexpected(broken("a segment is shorter than a MAD"));
    const auto header = read_wire<RmppHeader>(segment);
    if (header.version != 1) return std::unexpected(broken(fmt::format("version {}", header.version)));
    if (header.type == RmppHeader::stop || header.type == RmppHeader::abort)
        return std::unexpected(broken(fmt::format("the sender gave up: status {}", header.status)));
    if (header.type != RmppHeader::data) return Step{};
    if (complete_ || header.segment != taken_ + 1) return Step{acknowledgement(segment), complete_};
    if ((header.flags & RmppHeader::first) != (header.segment == 1 ? RmppHeader::first : 0))
        return std::unexpected(broken(fmt::format("segment {} has the wrong first flag", header.segment)));

    std::size_t size = segment_data;
    const bool last = header.flags & RmppHeader::last;
    if (last && header.length != 0) {
        if (header.length < sa_header_octets || header.length > sa_header_octets + segment_data)
            return std::unexpected(broken(fmt::format("the last segment says {} octets", header.length)));
        size = header.length - sa_header_octets;
    }
    if (octets_.size() + size > max_octets)
        return std::unexpected(broken(fmt::format("more than {} octets", max_octets)));
    if (octets_.empty()) octets_.assign(segment.begin(), segment.begin() + header_octets);
    const auto from = segment.begin() + header_octets;
    octets_.insert(octets_.end(), from, from + static_cast<std::ptrdiff_t>(size));
    ++taken_;
    complete_ = last;
    return Step{acknowledgement(segment), complete_};
}

}  // namespace pve_rdma
