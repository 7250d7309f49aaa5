#include <gtest/gtest.h>

#include "mad/rmpp.h"

namespace pve_rdma {
namespace {

MadOctets segment(std::uint32_t number, std::uint32_t flags, std::uint32_t length, std::uint8_t fill) {
    MadOctets out{};
    out[3] = 0x92;
    RmppHeader header;
    header.version = 1;
    header.type = RmppHeader::data;
    header.flags = RmppHeader::active | flags;
    header.segment = number;
    header.length = length;
    write_wire(header, out);
    std::fill(out.begin() + 56, out.end(), fill);
    return out;
}

RmppHeader acknowledged(const RmppTransfer::Step& step) {
    return step.acknowledge ? read_wire<RmppHeader>(*step.acknowledge) : RmppHeader{};
}

TEST(Rmpp, JoinsSegmentsInOrderAndAcknowledgesEach) {
    RmppTransfer transfer;
    auto step = transfer.take(segment(1, RmppHeader::first, 460, 'a'));
    ASSERT_TRUE(step);
    EXPECT_FALSE(step->complete);
    EXPECT_EQ(acknowledged(*step).type, RmppHeader::ack);
    EXPECT_EQ(acknowledged(*step).segment, 1u);
    EXPECT_GT(acknowledged(*step).length, 1u);
    EXPECT_EQ((*step->acknowledge)[3], 0x12);
    step = transfer.take(segment(2, 0, 0, 'b'));
    ASSERT_TRUE(step);
    step = transfer.take(segment(3, RmppHeader::last, 20 + 40, 'c'));
    ASSERT_TRUE(step);
    EXPECT_TRUE(step->complete);
    ASSERT_EQ(transfer.octets().size(), 56u + 200 + 200 + 40);
    EXPECT_EQ(transfer.octets()[56], 'a');
    EXPECT_EQ(transfer.octets()[56 + 200], 'b');
    EXPECT_EQ(transfer.octets().back(), 'c');
}

TEST(Rmpp, AGapAsksForWhatIsMissingAndARepetitionIsHarmless) {
    RmppTransfer transfer;
    ASSERT_TRUE(transfer.take(segment(1, RmppHeader::first, 0, 'a')));
    auto step = transfer.take(segment(3, RmppHeader::last, 220, 'c'));
    ASSERT_TRUE(step);
    EXPECT_FALSE(step->complete);
    EXPECT_EQ(acknowledged(*step).segment, 1u);
    step = transfer.take(segment(1, RmppHeader::first, 0, 'a'));
    ASSERT_TRUE(step);
    EXPECT_EQ(acknowledged(*step).segment, 1u);
    EXPECT_EQ(transfer.octets().size(), 56u + 200);
}

TEST(Rmpp, RefusesWhatBreaksTheProtocol) {
    RmppTransfer short_segment;
    EXPECT_FALSE(short_segment.take(std::vector<std::uint8_t>(100)));
    RmppTransfer no_first;
    EXPECT_FALSE(no_first.take(segment(1, 0, 0, 'a')));
    RmppTransfer too_long;
    EXPECT_FALSE(too_long.take(segment(1, RmppHeader::first | RmppHeader::last, 300, 'a')));
    RmppTransfer too_short;
    EXPECT_FALSE(too_short.take(segment(1, RmppHeader::first | RmppHeader::last, 10, 'a')));
    RmppTransfer stopped;
    auto stop = segment(1, RmppHeader::first, 0, 'a');
    stop[25] = RmppHeader::abort;
    EXPECT_FALSE(stopped.take(stop));
}

TEST(Rmpp, EndsATransferThatNeverEnds) {
    RmppTransfer transfer;
    bool refused = false;
    for (std::uint32_t i = 1; i < 50'000 && !refused; ++i)
        refused = !transfer.take(segment(i, i == 1 ? RmppHeader::first : 0, 0, 'x'));
    EXPECT_TRUE(refused);
    EXPECT_LE(transfer.octets().size(), RmppTransfer::max_octets + 56);
}

}  // namespace
}  // namespace pve_rdma
