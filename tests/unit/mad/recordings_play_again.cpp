#include <sstream>

#include <gtest/gtest.h>

#include "fake.h"
#include "mad/recording.h"

namespace pve_rdma {
namespace {

using test::TwoSwitches;
using test::value;

TEST(Recording, AWalkPlaysAgainToTheSameMap) {
    TwoSwitches lab;
    lab.fabric.node(lab.hosts[3]).silent = true;
    const LinkEnd end{lab.hosts[0], 1};
    const auto local = lab.fabric.local_port(end);
    const MadOptions options{.timeout_ms = 50, .retries = 1};
    auto transport = lab.fabric.open(end);
    std::ostringstream log;
    RecordingTransport recorder(*transport, log);
    const auto first = value(ask_walk(recorder, local, options));

    auto replay = value(ReplayTransport::parse("# pve1, two switches\n" + log.str(), "walk.log"));
    ASSERT_TRUE(replay);
    auto again = value(ask_walk(*replay, local, options));
    again.statistics = first.statistics;
    EXPECT_EQ(again, first);
    EXPECT_EQ(first.nodes.size(), 5u);
}

TEST(Recording, WhatWasNeverAskedIsAnError) {
    auto replay = value(ReplayTransport::parse("", "empty.log"));
    ASSERT_TRUE(replay);
    LocalPort local;
    const auto walk = ask_walk(*replay, local, {});
    ASSERT_FALSE(walk);
    EXPECT_EQ(walk.error().code, ErrorCode::not_found);
}

TEST(Recording, ALineThatIsNoneIsNamed) {
    for (const auto* text :
         {"? 0\n", "> x lid=1 sl=0 qpn=0 timeout=1 00\n", "> 0 lid=1 sl=0 qpn=0 timeout=1 0011\n",
          "< 0 status=0 zz\n", "< 0\n", "> 0 lid=1\n"}) {
        const auto replay = ReplayTransport::parse(std::string("# comment\n") + text, "bad.log");
        ASSERT_FALSE(replay) << text;
        EXPECT_EQ(replay.error().file, "bad.log");
        EXPECT_EQ(replay.error().line, 2);
    }
}

}  // namespace
}  // namespace pve_rdma
