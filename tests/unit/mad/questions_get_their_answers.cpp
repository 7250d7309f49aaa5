// The contract of the questions, on a FakeFabric; tests/differential/test_ibsim.py asks the same of ibsim.
#include <algorithm>

#include <gtest/gtest.h>

#include "fake.h"
#include "mad/fabric.h"

namespace pve_rdma {
namespace {

using test::TwoSwitches;
using test::value;

bool unread(const std::vector<Unread>& list, std::string_view what) {
    return std::ranges::find(list, what, &Unread::what) != list.end();
}

struct Managed : TwoSwitches {
    Managed() {
        fabric.start_sm({hosts[0], 1}, 10);
        fabric.add_group(PKey{0x7fff}, 4);
    }
    LinkEnd pve3() { return {hosts[2], 1}; }
    std::uint16_t lid(LinkEnd end) { return static_cast<std::uint16_t>(fabric.port(end).info.lid); }
    Result<FabricSm> sm(const MadOptions& options = {}) {
        auto transport = fabric.open(pve3());
        return ask_sm(*transport, fabric.local_port(pve3()), options);
    }
    Result<FabricPort> port(std::uint16_t lid, std::optional<std::uint32_t> number = {}) {
        auto transport = fabric.open(pve3());
        return ask_port(*transport, fabric.local_port(pve3()), lid, number, {});
    }
    SubnetView subnet(const MadOptions& options = {}) {
        auto transport = fabric.open(pve3());
        return ask_subnet(*transport, fabric.local_port(pve3()), options);
    }
};

TEST(AskSm, GivesTheMasterItsPathAndTheIpoibGroup) {
    Managed lab;
    const auto fabric = value(lab.sm());
    ASSERT_TRUE(fabric.sm);
    EXPECT_EQ(fabric.sm->state, "MASTER");
    EXPECT_EQ(fabric.sm->priority, 10u);
    EXPECT_EQ(fabric.sm->lid, lab.lid({lab.hosts[0], 1}));
    ASSERT_TRUE(fabric.path_to_sm);
    EXPECT_EQ(fabric.path_to_sm->mtu, 2048u);
    ASSERT_EQ(fabric.ipoib_groups.size(), 1u);
    ASSERT_TRUE(fabric.ipoib_groups[0].group);
    EXPECT_EQ(fabric.ipoib_groups[0].group->mtu, 2048u);
    EXPECT_EQ(fabric.known.size(), 1u);
    EXPECT_TRUE(fabric.unread.empty());
}

TEST(AskSm, ListsEverySubnetManagerByRmpp) {
    for (const bool joined : {false, true}) {
        Managed lab;
        lab.fabric.joins_segments = joined;
        for (std::uint32_t i = 0; i < 12; ++i) {  // three segments' worth of records
            const auto host = lab.fabric.add_hca("sm", Guid{0x5000 + i * 0x10});
            lab.fabric.connect({host, 1}, {lab.s2, 10 + i});
            lab.fabric.start_sm({host, 1}, 1);
        }
        const auto fabric = value(lab.sm());
        EXPECT_EQ(fabric.known.size(), 13u);
        EXPECT_EQ(std::ranges::count(fabric.known, "MASTER", &SmInfo::state), 1);
        EXPECT_EQ(lab.fabric.acknowledged(), joined ? 0u : 3u);
    }
}

TEST(AskSm, ALostSegmentIsFetchedAgain) {
    Managed lab;
    for (std::uint32_t i = 0; i < 12; ++i) {
        const auto host = lab.fabric.add_hca("sm", Guid{0x5000 + i * 0x10});
        lab.fabric.connect({host, 1}, {lab.s2, 10 + i});
        lab.fabric.start_sm({host, 1}, 1);
    }
    int seen = 0;
    lab.fabric.lost = [&](const MadOctets& mad) { return mad[3] == 0x92 && ++seen == 2; };
    const auto fabric = value(lab.sm());
    EXPECT_GE(seen, 3);
    EXPECT_EQ(fabric.known.size(), 13u);
}

TEST(AskSm, WithoutASubnetManagerIsAnErrorThatSaysWhatToDo) {
    TwoSwitches lab;
    auto transport = lab.fabric.open({lab.hosts[0], 1});
    const auto sm = ask_sm(*transport, lab.fabric.local_port({lab.hosts[0], 1}), {});
    ASSERT_FALSE(sm);
    EXPECT_EQ(sm.error().text(), "pve1 mlx4_0 port 1: the port is INIT and knows no subnet manager");
    EXPECT_NE(sm.error().hint.find("opensm"), std::string::npos);
}

TEST(AskSm, ADeadSubnetManagerLeavesWhatThePortItselfKnows) {
    Managed lab;
    lab.fabric.node(lab.hosts[0]).silent = true;
    const auto fabric = value(lab.sm());
    EXPECT_FALSE(fabric.sm);
    EXPECT_TRUE(unread(fabric.unread, "sm"));
    EXPECT_TRUE(unread(fabric.unread, "path_to_sm"));
    ASSERT_TRUE(fabric.pkeys);
    EXPECT_EQ(fabric.pkeys->entries, std::vector{PKey{0xffff}});
    ASSERT_EQ(fabric.ipoib_groups.size(), 1u);
    ASSERT_TRUE(fabric.ipoib_groups[0].unread);
    EXPECT_EQ(fabric.ipoib_groups[0].unread->error, "ETIMEDOUT");
}

TEST(AskPort, GivesAnHcaPortByItsLid) {
    Managed lab;
    auto& pve4 = lab.fabric.port({lab.hosts[3], 1});
    pve4.counters.symbol_error = 1234;
    pve4.counters_extended.port_xmit_data = 0x1'0000'0001;
    pve4.pkeys = {PKey{0xffff}, PKey{0}, PKey{0x8001}};
    pve4.pkeys.resize(40);
    pve4.pkeys.push_back(PKey{0x8002});
    const auto port = value(lab.port(lab.lid({lab.hosts[3], 1})));
    EXPECT_EQ(port.description, "pve4 mlx4_0");
    EXPECT_EQ(port.port, 1u);
    ASSERT_TRUE(port.node && port.info && port.counters && port.counters_extended && port.pkeys);
    EXPECT_EQ(port.node->type, "CA");
    EXPECT_EQ(port.info->mtu_cap, 4096u);
    EXPECT_EQ(port.info->neighbor_mtu, 2048u);
    EXPECT_EQ(port.counters->symbol_error, 1234u);
    EXPECT_EQ(port.counters_extended->port_xmit_data, 0x1'0000'0001u);
    EXPECT_EQ(port.pkeys->capacity, 128u);
    ASSERT_EQ(port.pkeys->entries.size(), 41u);
    EXPECT_EQ(port.pkeys->entries[2], PKey{0x8001});
    EXPECT_EQ(port.pkeys->entries[40], PKey{0x8002});
    EXPECT_EQ(port.guids, std::vector{pve4.guid});
    EXPECT_FALSE(port.switch_info);
    EXPECT_FALSE(port.sm);
    EXPECT_TRUE(port.unread.empty());
}

TEST(AskPort, GivesASwitchPortByNumberAndPort0WithoutOne) {
    Managed lab;
    const auto lid = lab.lid({lab.s2, 0});
    lab.fabric.port({lab.s2, 7}).pkeys = {PKey{0x8007}};
    const auto seven = value(lab.port(lid, 7));
    ASSERT_TRUE(seven.info && seven.pkeys && seven.switch_info);
    EXPECT_EQ(seven.info->local_port, 7u);
    EXPECT_EQ(seven.info->state, "DOWN");
    EXPECT_EQ(seven.pkeys->entries, std::vector{PKey{0x8007}});
    const auto zero = value(lab.port(lid));
    EXPECT_EQ(zero.port, 0u);
    EXPECT_EQ(zero.info->lid, lid);
}

TEST(AskPort, APortThatDoesNotExistIsNamed) {
    Managed lab;
    const auto port = value(lab.port(lab.lid({lab.s2, 0}), 77));
    EXPECT_TRUE(port.node);
    EXPECT_FALSE(port.info);
    EXPECT_TRUE(unread(port.unread, "info"));
}

TEST(AskPort, ALidThatNobodyHasIsAnError) {
    Managed lab;
    const auto port = lab.port(999);
    ASSERT_FALSE(port);
    EXPECT_EQ(port.error().code, ErrorCode::timeout);
    EXPECT_NE(port.error().text().find("LID 999"), std::string::npos);
}

TEST(AskPort, AStandbySubnetManagerSaysSo) {
    Managed lab;
    lab.fabric.start_sm({lab.hosts[1], 1}, 5);
    const auto port = value(lab.port(lab.lid({lab.hosts[1], 1})));
    ASSERT_TRUE(port.sm);
    EXPECT_EQ(port.sm->state, "STANDBY");
    EXPECT_EQ(port.sm->priority, 5u);
}

TEST(AskPath, GivesTheMtuOfTheWeakestPortOnTheWay) {
    Managed lab;
    auto transport = lab.fabric.open(lab.pve3());
    const auto local = lab.fabric.local_port(lab.pve3());
    const auto through_s1 =
        value(ask_path(*transport, local, lab.lid({lab.hosts[1], 1}), lab.lid({lab.hosts[3], 2}), {}));
    ASSERT_TRUE(through_s1.path);
    EXPECT_EQ(through_s1.path->mtu, 2048u);
    const auto within_s2 =
        value(ask_path(*transport, local, lab.lid({lab.hosts[1], 2}), lab.lid({lab.hosts[3], 2}), {}));
    ASSERT_TRUE(within_s2.path);
    EXPECT_EQ(within_s2.path->mtu, 4096u);
    EXPECT_EQ(within_s2.path->dlid, lab.lid({lab.hosts[3], 2}));
}

TEST(AskPath, WithoutARecordIsAnError) {
    Managed lab;
    auto transport = lab.fabric.open(lab.pve3());
    const auto path = ask_path(*transport, lab.fabric.local_port(lab.pve3()), 1, 999, {});
    ASSERT_FALSE(path);
    EXPECT_EQ(path.error().code, ErrorCode::not_found);
    EXPECT_EQ(path.error().subject, "path from LID 1 to LID 999");
}

TEST(AskSubnet, GivesWhatAProbeWantsInTwoRounds) {
    Managed lab;
    lab.fabric.port(lab.pve3()).pkeys = {PKey{0xffff}, PKey{0x8001}, PKey{0x0001}};
    lab.fabric.add_group(PKey{0x8001}, 5);
    const auto view = lab.subnet();
    ASSERT_TRUE(view.port_info && view.sm && view.pkeys && view.counters && view.counters_extended &&
                view.path_to_sm);
    EXPECT_EQ(view.port_info->state, "ACTIVE");
    EXPECT_EQ(view.sm->state, "MASTER");
    ASSERT_EQ(view.ipoib_groups.size(), 2u);  // 0x8001 and 0x0001 are one partition
    EXPECT_EQ(view.ipoib_groups[0].pkey, PKey{0xffff});
    EXPECT_EQ(view.ipoib_groups[1].pkey, PKey{0x8001});
    EXPECT_EQ(view.ipoib_groups[1].group->mtu, 4096u);
    EXPECT_TRUE(view.unread.empty());
}

TEST(AskSubnet, APartitionWithoutAnIpoibGroupSaysWhy) {
    Managed lab;
    lab.fabric.port(lab.pve3()).pkeys = {PKey{0xffff}, PKey{0x8001}};
    const auto view = lab.subnet();
    ASSERT_EQ(view.ipoib_groups.size(), 2u);
    EXPECT_FALSE(view.ipoib_groups[1].group);
    ASSERT_TRUE(view.ipoib_groups[1].unread);
    EXPECT_EQ(view.ipoib_groups[1].unread->error, "not_found");
}

TEST(AskSubnet, BeforeASubnetManagerCameThePortAnswersForItself) {
    TwoSwitches lab;
    auto transport = lab.fabric.open({lab.hosts[0], 1});
    const auto view = ask_subnet(*transport, lab.fabric.local_port({lab.hosts[0], 1}), {});
    ASSERT_TRUE(view.port_info && view.pkeys);
    EXPECT_EQ(view.port_info->state, "INIT");
    EXPECT_FALSE(view.sm);
    EXPECT_TRUE(view.ipoib_groups.empty());
    EXPECT_TRUE(view.unread.empty());
}

TEST(AskSubnet, AFrozenHcaLeavesEveryFieldUnreadAtTheDeadline) {
    Managed lab;
    lab.fabric.frozen = true;
    const auto begin = lab.fabric.now();
    const auto view = lab.subnet({.deadline_ms = 1500});
    EXPECT_LE(lab.fabric.now() - begin, std::chrono::milliseconds(1501));
    for (const auto* what : {"port_info", "sm", "path_to_sm", "counters", "counters_extended", "pkeys"})
        EXPECT_TRUE(unread(view.unread, what)) << what;
}

TEST(Text, OfEveryAnswerKeepsTo80Columns) {
    Managed lab;
    lab.fabric.port({lab.hosts[3], 1}).counters.symbol_error = 12345;
    lab.fabric.port({lab.hosts[3], 1}).counters.link_error_recovery = 200;
    lab.fabric.port({lab.hosts[3], 1}).counters.port_rcv_remote_physical_errors = 200;
    lab.fabric.port({lab.hosts[3], 1}).counters.excessive_buffer_overrun_errors = 9;
    auto transport = lab.fabric.open(lab.pve3());
    const auto path = value(ask_path(*transport, lab.fabric.local_port(lab.pve3()), 1, 2, {}));
    const auto sm = render_text(value(lab.sm()));
    const auto port = render_text(value(lab.port(lab.lid({lab.hosts[3], 1}))));
    for (const auto& text : {sm, port, render_text(path)}) {
        for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
            EXPECT_LE(end - at, 80u) << text;
        EXPECT_EQ(text.back(), '\n');
    }
    EXPECT_NE(sm.find("MASTER at LID"), std::string::npos) << sm;
    EXPECT_NE(port.find("symbol_error 12345"), std::string::npos) << port;
}

}  // namespace
}  // namespace pve_rdma
