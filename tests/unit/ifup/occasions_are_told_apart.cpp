// The environments of ifupdown and of ifupdown2, as measured with the programs of Debian 12.
#include <gtest/gtest.h>

#include "ifup/hook.h"
#include "wishes/wishes.h"

namespace pve_rdma::ifup {
namespace {

using Environment = std::map<std::string, std::string>;

Result<Occasion> occasion(const Environment& environment) {
    return occasion_of([&](const char* name) {
        const auto found = environment.find(name);
        return found == environment.end() ? nullptr : found->second.c_str();
    });
}

TEST(Occasions, OfIfupdown) {
    Environment environment{
        {"IFACE", "eth0"}, {"MODE", "start"}, {"PHASE", "pre-up"}, {"VERBOSITY", "0"}, {"METHOD", "static"}};
    EXPECT_EQ(occasion(environment)->phase, Phase::before_up);
    environment["PHASE"] = "post-up";
    EXPECT_EQ(occasion(environment)->phase, Phase::up);
    EXPECT_FALSE(occasion(environment)->ifupdown2);
    environment["PHASE"] = "pre-down";
    EXPECT_EQ(occasion(environment)->phase, Phase::none);
    environment["IFACE"] = "--all";
    EXPECT_EQ(occasion(environment)->phase, Phase::none);
}

TEST(Occasions, OfIfupdown2) {
    Environment environment{{"IFACE", "eth0"}, {"MODE", "start"}, {"PHASE", "up"}};
    EXPECT_EQ(occasion(environment)->phase, Phase::up);
    EXPECT_TRUE(occasion(environment)->ifupdown2);
    environment["PHASE"] = "post-up";
    EXPECT_EQ(occasion(environment)->phase, Phase::again);
    environment["MODE"] = "stop";
    environment["PHASE"] = "post-down";
    EXPECT_EQ(occasion(environment)->phase, Phase::after_down);
}

TEST(Occasions, OptionsOfTheEnvironmentAreAStanza) {
    const auto now = occasion({{"IFACE", "ib0p8001"},
                               {"MODE", "stop"},
                               {"PHASE", "post-down"},
                               {"IF_IB_PARENT", "ib0"},
                               {"IF_IB_PKEY", "0x8001"},
                               {"IF_RDMA_ROUTE", "192.0.2.0/24\n\n198.51.100.0/24 metric 5"},
                               {"IF_POST_UP", "reboot"}});
    const auto view = eni::view_of(now->options, "environment");
    ASSERT_TRUE(view);
    const auto wishes = wishes_of(*view, "ib0p8001");
    EXPECT_EQ(wishes.parent->value, "ib0");
    EXPECT_EQ(wishes.routes.size(), 2u);
    EXPECT_EQ(now->options.find("reboot"), std::string::npos);
}

TEST(Occasions, WhatIsNoCallOfIfupdownIsRefused) {
    EXPECT_FALSE(occasion({}));
    EXPECT_FALSE(occasion({{"IFACE", "../../etc"}, {"MODE", "start"}, {"PHASE", "up"}}));
    EXPECT_FALSE(occasion({{"IFACE", "a name"}, {"MODE", "start"}, {"PHASE", "up"}}));
    EXPECT_FALSE(occasion({{"IFACE", "longer-than-sixteen"}, {"MODE", "start"}, {"PHASE", "up"}}));
}

TEST(Occasions, FailureIsToldWhereItBreaksNothing) {
    const Outcome failed{.errors = {Error{}}};
    EXPECT_EQ(exit_status({.phase = Phase::up}, failed), 0);
    EXPECT_EQ(exit_status({.phase = Phase::again}, failed), 1);
    EXPECT_EQ(exit_status({.phase = Phase::after_down}, failed), 0);
    EXPECT_EQ(exit_status({.phase = Phase::before_up}, {.unusable = true}), 1);
}

}  // namespace
}  // namespace pve_rdma::ifup
