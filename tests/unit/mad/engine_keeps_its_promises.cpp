#include <gtest/gtest.h>

#include "fake.h"
#include "mad/codec.h"
#include "mad/engine.h"
#include "mad/requests.h"

namespace pve_rdma {
namespace {

using test::TwoSwitches;
using test::value;

struct Count {
    int answered = 0, failed = 0;
    std::vector<Error> errors;

    MadHandler handler() {
        return [this](const Result<MadReply>& reply) {
            if (reply) {
                ++answered;
                return;
            }
            ++failed;
            errors.push_back(reply.error());
        };
    }
};

MadRequest local_node_info() {
    return get_smp({.route = DirectRoute{}}, attribute::node_info);
}

TEST(Engine, AFrozenHcaCostsNoMoreThanTheDeadline) {
    TwoSwitches lab;
    lab.fabric.frozen = true;
    auto transport = lab.fabric.open({lab.hosts[0], 1});
    MadEngine engine(*transport, {.deadline_ms = 700});
    Count count;
    for (int i = 0; i < 500; ++i)
        engine.submit(local_node_info(), count.handler());
    const auto begin = lab.fabric.now();
    engine.run();
    EXPECT_LE(lab.fabric.now() - begin, std::chrono::milliseconds(701));
    EXPECT_EQ(count.failed, 500);
    EXPECT_TRUE(engine.statistics().deadline_reached);
    EXPECT_LE(engine.statistics().sent, 16u);
    ASSERT_FALSE(count.errors.empty());
    EXPECT_EQ(count.errors.back().code, ErrorCode::timeout);
    EXPECT_EQ(count.errors.back().subject, "direct route 0");
}

TEST(Engine, RepeatsALostMadAndWaitsTwiceAsLong) {
    TwoSwitches lab;
    int losses = 2;
    lab.fabric.lost = [&](const MadOctets&) { return losses-- > 0; };
    auto transport = lab.fabric.open({lab.hosts[0], 1});
    MadEngine engine(*transport, {.timeout_ms = 100, .retries = 2});
    Count count;
    engine.submit(local_node_info(), count.handler());
    const auto begin = lab.fabric.now();
    engine.run();
    EXPECT_EQ(count.answered, 1);
    EXPECT_EQ(engine.statistics().sent, 3u);
    EXPECT_EQ(engine.statistics().timeouts, 2u);
    EXPECT_EQ(engine.statistics().retries, 2u);
    EXPECT_EQ(engine.statistics().failed, 0u);
    const auto waited = lab.fabric.now() - begin;
    EXPECT_GE(waited, std::chrono::milliseconds(300));
    EXPECT_LE(waited, std::chrono::milliseconds(301));
}

TEST(Engine, GivesUpAfterTheRetriesAndSaysSo) {
    TwoSwitches lab;
    lab.fabric.lost = [](const MadOctets&) { return true; };
    auto transport = lab.fabric.open({lab.hosts[0], 1});
    MadEngine engine(*transport, {.timeout_ms = 100, .retries = 1});
    Count count;
    engine.submit(get_smp({.lid = 5}, attribute::port_info, 3), count.handler());
    engine.run();
    ASSERT_EQ(count.failed, 1);
    EXPECT_EQ(count.errors[0].text(),
              "LID 5: SubnGet(PortInfo 3): no answer to 2 attempts within 300 ms (ETIMEDOUT: Connection "
              "timed out)");
    EXPECT_EQ(engine.statistics().sent, 2u);
}

TEST(Engine, TheWindowGrowsWhileAnswersComeAndStopsAtItsMaximum) {
    TwoSwitches lab;
    auto transport = lab.fabric.open({lab.hosts[0], 1});
    MadEngine engine(*transport, {});
    Count count;
    for (int i = 0; i < 20; ++i)
        engine.submit(local_node_info(), count.handler());
    engine.run();
    EXPECT_GT(engine.statistics().window, 4u);
    EXPECT_LT(engine.statistics().window, 16u);
    for (int i = 0; i < 400; ++i)
        engine.submit(local_node_info(), count.handler());
    engine.run();
    EXPECT_EQ(engine.statistics().window, 16u);
    EXPECT_EQ(engine.statistics().max_on_wire, 16u);
    EXPECT_EQ(count.answered, 420);
}

TEST(Engine, ATimeoutHalvesTheWindowOnceForAllThatWereLostTogether) {
    TwoSwitches lab;
    auto transport = lab.fabric.open({lab.hosts[0], 1});
    MadEngine engine(*transport, {.window_start = 16});
    Count count;
    bool dead = true;
    lab.fabric.lost = [&](const MadOctets&) { return dead; };
    for (int i = 0; i < 16; ++i)
        engine.submit(local_node_info(), [&](const auto&) {});
    lab.fabric.at(std::chrono::milliseconds(150), [&] { dead = false; });
    engine.run();
    EXPECT_EQ(engine.statistics().timeouts, 16u);
    // 16 answers after the halving let it grow by one or two again.
    EXPECT_GE(engine.statistics().window, 8u);
    EXPECT_LE(engine.statistics().window, 10u);
}

TEST(Engine, ADeadSubnetManagerDoesNotNarrowTheWindowOfSmps) {
    TwoSwitches lab;
    lab.fabric.lost = [](const MadOctets& mad) { return mad[1] == 0x03; };
    auto transport = lab.fabric.open({lab.hosts[0], 1});
    MadEngine engine(*transport, {.timeout_ms = 20});
    Count sa, own;
    for (int i = 0; i < 8; ++i)
        engine.submit(get_sa_class_port_info({.lid = 1}), sa.handler());
    for (int i = 0; i < 200; ++i)
        engine.submit(local_node_info(), own.handler());
    engine.run();
    EXPECT_EQ(sa.failed, 8);
    EXPECT_EQ(own.answered, 200);
    EXPECT_EQ(engine.statistics().window, 16u);
}

TEST(Engine, BacksOffUntilASmallSwitchKeepsUp) {
    TwoSwitches lab;
    lab.fabric.vl15_limit = 3;
    const auto walk = value(lab.walk({lab.hosts[0], 1}, {.timeout_ms = 20, .retries = 6}));
    EXPECT_TRUE(walk.complete);
    EXPECT_EQ(walk.nodes.size(), 6u);
    EXPECT_EQ(walk.links.size(), 10u);
    EXPECT_GT(walk.statistics.timeouts, 0u);
    EXPECT_LT(walk.statistics.timeouts, walk.statistics.answered);
    EXPECT_LE(walk.statistics.window, 5u);
}

TEST(Engine, AnEmptyRunEndsAtOnce) {
    TwoSwitches lab;
    auto transport = lab.fabric.open({lab.hosts[0], 1});
    MadEngine engine(*transport, {});
    engine.run();
    EXPECT_EQ(engine.statistics().sent, 0u);
}

// A transport whose answers are whatever the test says.
class Scripted : public MadTransport {
  public:
    std::function<std::vector<IncomingMad>(const OutgoingMad&)> answer;
    std::optional<Error> send_error, receive_error;

    Result<void> send(const OutgoingMad& mad) override {
        if (send_error) return std::unexpected(*send_error);
        if (answer)
            for (auto& one : answer(mad))
                waiting_.push_back(std::move(one));
        return {};
    }
    Result<std::optional<IncomingMad>> receive(MadTime until) override {
        if (receive_error) return std::unexpected(*receive_error);
        if (waiting_.empty()) {
            now_ = std::max(now_, until);
            return std::nullopt;
        }
        auto mad = std::move(waiting_.front());
        waiting_.pop_front();
        return mad;
    }
    MadTime now() const override { return now_; }
    bool joins_segments() const override { return true; }

  private:
    MadTime now_{std::chrono::hours(1)};
    std::deque<IncomingMad> waiting_;
};

IncomingMad response(const OutgoingMad& mad) {
    IncomingMad out{0, {mad.octets.begin(), mad.octets.end()}};
    out.octets[3] |= 0x80;
    return out;
}

TEST(Engine, TakesOnlyTheAnswerToItsOwnQuestion) {
    Scripted transport;
    transport.answer = [](const OutgoingMad& mad) {
        IncomingMad other_attribute = response(mad), other_class = response(mad),
                    other_transaction = response(mad), not_a_response = response(mad),
                    too_short = response(mad), right = response(mad);
        other_attribute.octets[17] ^= 1;
        other_class.octets[1] = 0x04;
        other_transaction.octets[15] ^= 0x40;
        not_a_response.octets[3] = 0x01;
        too_short.octets.resize(100);
        right.octets[64 + 2] = 2;
        return std::vector{other_attribute, other_class, other_transaction, not_a_response, too_short,
                           right,           right};
    };
    MadEngine engine(transport, {});
    int answers = 0;
    engine.submit(local_node_info(), [&](const Result<MadReply>& reply) {
        ASSERT_TRUE(reply);
        ++answers;
        EXPECT_EQ(decode_node_info(reply->payload.first<64>()).type, "SWITCH");
    });
    engine.submit(local_node_info(), [&](const auto& reply) { answers += reply.has_value(); });
    engine.run();
    EXPECT_EQ(answers, 2);
    EXPECT_GE(engine.statistics().late, 10u);
}

TEST(Engine, AnAnswerWithAStatusIsAnErrorInWords) {
    Scripted transport;
    transport.answer = [](const OutgoingMad& mad) {
        auto refused = response(mad);
        refused.octets[4] = 0x02;
        return std::vector{refused};
    };
    MadEngine engine(transport, {});
    Count count;
    engine.submit(get_mc_member_record({.lid = 1}, {}), count.handler());
    engine.run();
    ASSERT_EQ(count.failed, 1);
    EXPECT_EQ(count.errors[0].text(),
              "LID 1: SubnAdmGet(MCMemberRecord) was refused: status 0x0200, REQ_INVALID");
    EXPECT_EQ(engine.statistics().answered, 1u);
}

TEST(Engine, TheDirectionBitOfADirectRouteIsNoStatus) {
    Scripted transport;
    transport.answer = [](const OutgoingMad& mad) {
        auto right = response(mad);
        right.octets[4] = 0x80;
        return std::vector{right};
    };
    MadEngine engine(transport, {});
    Count count;
    engine.submit(local_node_info(), count.handler());
    engine.run();
    EXPECT_EQ(count.answered, 1);
}

TEST(Engine, ABusyAgentIsAskedAgainLater) {
    Scripted transport;
    int busy = 2;
    transport.answer = [&](const OutgoingMad& mad) {
        auto out = response(mad);
        out.octets[5] = busy-- > 0 ? 1 : 0;
        return std::vector{out};
    };
    MadEngine engine(transport, {.timeout_ms = 100});
    Count count;
    const auto begin = transport.now();
    engine.submit(local_node_info(), count.handler());
    engine.run();
    EXPECT_EQ(count.answered, 1);
    EXPECT_EQ(engine.statistics().retries, 2u);
    EXPECT_GE(transport.now() - begin, std::chrono::milliseconds(50));
}

TEST(Engine, APortThatGoesAwayEndsEveryQuestion) {
    Scripted transport;
    transport.receive_error = errno_error(ENODEV, "umad", "no MAD can be received");
    MadEngine engine(transport, {});
    Count count;
    for (int i = 0; i < 10; ++i)
        engine.submit(local_node_info(), [&](const auto& reply) {
            EXPECT_FALSE(reply);
            engine.submit(local_node_info(), count.handler());  // a handler may ask on; that ends too
        });
    engine.run();
    EXPECT_EQ(count.failed, 10);
    EXPECT_EQ(count.errors[0].errno_value, ENODEV);
}

TEST(Engine, AMadThatTheKernelRefusesFailsAlone) {
    Scripted transport;
    transport.send_error = errno_error(EINVAL, "umad", "the kernel did not take a MAD");
    MadEngine engine(transport, {});
    Count count;
    engine.submit(local_node_info(), count.handler());
    engine.run();
    ASSERT_EQ(count.failed, 1);
    EXPECT_EQ(count.errors[0].errno_value, EINVAL);
    EXPECT_EQ(engine.statistics().sent, 0u);
}

}  // namespace
}  // namespace pve_rdma
