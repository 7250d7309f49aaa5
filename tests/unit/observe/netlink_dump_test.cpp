// Dumps stay consistent when the kernel's tables change, and say so when they cannot.
#include "observe/netlink_dump.h"

#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include <gtest/gtest.h>

#include "netlink_fake.h"
#include "observe/rtnetlink.h"

namespace pve_rdma::test {
namespace {

NetlinkRequest link_message(std::uint32_t ifindex, const std::string& name, std::uint32_t mtu = 1500) {
    NetlinkRequest message(RTM_NEWLINK, 0);
    ifinfomsg header{};
    header.ifi_index = static_cast<int>(ifindex);
    message.header(header).text(IFLA_IFNAME, name).number(IFLA_MTU, mtu);
    return message;
}

NetlinkRequest route_event() {
    NetlinkRequest message(RTM_NEWROUTE, 0);
    message.header(rtmsg{});
    return message;
}

class NetlinkDumps : public ::testing::Test {
  protected:
    void SetUp() override {
        for (const auto type : {RTM_GETADDR, RTM_GETROUTE, RTM_GETRULE})
            kernel.on(static_cast<std::uint16_t>(type),
                      [](FakeKernel& k, const auto& request) { k.done(request); });
    }
    Source read() { return read_rtnetlink(kernel, report); }

    // Answers the link dump with one link; `first` stands in for the first `faulty` answers.
    void links(FakeKernel::Answer first, int faulty = 1) {
        kernel.on(RTM_GETLINK, [first, faulty](FakeKernel& k, const FakeKernel::Request& request) {
            if (request.times < faulty) return first(k, request);
            k.reply(request, link_message(7, "new0", 9000));
            k.done(request);
        });
    }
    void expect_second_answer(const Source& source) {
        EXPECT_TRUE(source.unread.empty()) << source.unread.front().text;
        ASSERT_EQ(report.links.size(), 1U);
        EXPECT_EQ(report.links[0].ifname, "new0");
        EXPECT_EQ(report.links[0].mtu, 9000U);
        EXPECT_EQ(kernel.asked(RTM_GETLINK), 2);
    }

    FakeKernel kernel;
    NodeReport report;
};

TEST_F(NetlinkDumps, AQuietKernelIsAskedOnce) {
    links({}, 0);
    const Source source = read();
    EXPECT_TRUE(source.unread.empty());
    ASSERT_EQ(report.links.size(), 1U);
    EXPECT_EQ(kernel.asked(RTM_GETLINK), 1);
    EXPECT_EQ(kernel.asked(RTM_GETROUTE), 1);
}

TEST_F(NetlinkDumps, AnEventInMidDumpMakesTheDumpAgain) {
    links([](FakeKernel& k, const auto& request) {
        k.reply(request, link_message(7, "old0"));
        k.event(link_message(7, "new0", 9000));
        k.done(request);
    });
    expect_second_answer(read());
}

TEST_F(NetlinkDumps, AnEventBehindTheLastDumpMakesItAgain) {
    links([](FakeKernel& k, const auto& request) {
        k.reply(request, link_message(7, "old0"));
        k.done(request);
    });
    kernel.on(RTM_GETRULE, [](FakeKernel& k, const auto& request) {
        k.done(request);
        if (request.times == 0) k.event(link_message(7, "new0", 9000));
    });
    expect_second_answer(read());
    EXPECT_EQ(kernel.asked(RTM_GETRULE), 1);  // rules did not change
}

TEST_F(NetlinkDumps, AnEventOfAnotherTableLeavesTheDumpAlone) {
    links({}, 0);
    kernel.on(RTM_GETADDR, [](FakeKernel& k, const auto& request) {
        k.event(route_event());
        k.done(request);
    });
    EXPECT_TRUE(read().unread.empty());
    EXPECT_EQ(kernel.asked(RTM_GETLINK), 1);
    EXPECT_EQ(kernel.asked(RTM_GETADDR), 1);
    EXPECT_EQ(kernel.asked(RTM_GETROUTE), 1);  // it came before routes were read
}

TEST_F(NetlinkDumps, AnInterruptedDumpIsMadeAgain) {
    links([](FakeKernel& k, const auto& request) {
        k.reply(request, link_message(7, "old0"), NLM_F_MULTI | NLM_F_DUMP_INTR);
        k.done(request);
    });
    expect_second_answer(read());
}

TEST_F(NetlinkDumps, AnInterruptionToldByTheLastMessageCounts) {
    links([](FakeKernel& k, const auto& request) {
        k.reply(request, link_message(7, "old0"));
        k.done(request, NLM_F_MULTI | NLM_F_DUMP_INTR);
    });
    expect_second_answer(read());
}

TEST_F(NetlinkDumps, LostMessagesMakeEveryDumpAgain) {
    links([](FakeKernel& k, const auto& request) {
        k.reply(request, link_message(7, "old0"));
        k.done(request);
    });
    kernel.on(RTM_GETROUTE, [](FakeKernel& k, const auto& request) {
        if (request.times == 0) k.fail(ENOBUFS);
        k.done(request);
    });
    expect_second_answer(read());
    EXPECT_EQ(kernel.asked(RTM_GETADDR), 2);
    EXPECT_EQ(kernel.asked(RTM_GETROUTE), 2);
}

TEST_F(NetlinkDumps, LossWhileDrainingMakesEveryDumpAgain) {
    links([](FakeKernel& k, const auto& request) {
        k.reply(request, link_message(7, "old0"));
        k.done(request);
    });
    kernel.on(RTM_GETRULE, [](FakeKernel& k, const auto& request) {
        k.done(request);
        if (request.times == 0) k.fail(ENOBUFS);
    });
    expect_second_answer(read());
}

TEST_F(NetlinkDumps, AMessageThatWasCutOffIsAskedForAgain) {
    links([](FakeKernel& k, const auto& request) {
        k.fail(EMSGSIZE);
        k.done(request);
    });
    expect_second_answer(read());
}

TEST_F(NetlinkDumps, ATableThatNeverRestsIsReportedAndItsLastAnswerStands) {
    links(
        [](FakeKernel& k, const auto& request) {
            k.reply(request, link_message(7, "old0"));
            k.event(link_message(7, "new0", 9000));
            k.done(request);
        },
        1000);
    const Source source = read();
    EXPECT_EQ(kernel.asked(RTM_GETLINK), default_dump_rounds);
    ASSERT_EQ(source.unread.size(), 1U);
    EXPECT_EQ(source.unread[0].what, "RTM_GETLINK");
    EXPECT_EQ(source.unread[0].error, "conflict");
    EXPECT_FALSE(source.unavailable);
    ASSERT_EQ(report.links.size(), 1U);
    EXPECT_EQ(report.links[0].ifname, "old0");
}

TEST_F(NetlinkDumps, ARefusalCarriesErrnoAndTheKernelsWords) {
    links({}, 0);
    kernel.on(RTM_GETROUTE, [](FakeKernel& k, const auto& request) {
        k.refuse(request, EINVAL, "Invalid values in header");
    });
    const Source source = read();
    ASSERT_EQ(source.unread.size(), 1U);
    EXPECT_EQ(source.unread[0].what, "RTM_GETROUTE");
    EXPECT_EQ(source.unread[0].error, "EINVAL");
    EXPECT_NE(source.unread[0].text.find("Invalid values in header"), std::string::npos)
        << source.unread[0].text;
    EXPECT_EQ(report.links.size(), 1U);
    EXPECT_EQ(kernel.asked(RTM_GETROUTE), 1);  // a refusal is no reason to ask again
}

TEST_F(NetlinkDumps, AnErrorInTheLastMessageOfADumpIsAnError) {
    links([](FakeKernel& k, const auto& request) { k.done(request, NLM_F_MULTI, -EPERM); }, 1000);
    const Source source = read();
    ASSERT_EQ(source.unread.size(), 1U);
    EXPECT_EQ(source.unread[0].error, "EPERM");
    EXPECT_FALSE(source.unread[0].hint.empty());
}

TEST_F(NetlinkDumps, AMessageLongerThanItsDatagramIsMalformed) {
    links(
        [](FakeKernel& k, const auto& request) {
            auto bytes = FakeKernel::stamp(link_message(7, "old0"), request.header.nlmsg_seq,
                                           FakeKernel::our_port, NLM_F_MULTI);
            bytes.resize(bytes.size() - 8);
            k.queue(bytes);
            k.done(request);
        },
        1000);
    const Source source = read();
    ASSERT_EQ(source.unread.size(), 1U);
    EXPECT_EQ(source.unread[0].error, "malformed");
    EXPECT_TRUE(report.links.empty());
}

TEST_F(NetlinkDumps, AnAttributeOfAWrongSizeIsNamedAndTheRestIsKept) {
    kernel.on(RTM_GETLINK, [](FakeKernel& k, const auto& request) {
        NetlinkRequest message(RTM_NEWLINK, 0);
        ifinfomsg header{};
        header.ifi_index = 3;
        message.header(header).text(IFLA_IFNAME, "eth3").text(IFLA_MTU, "no number").number(IFLA_MIN_MTU, 68);
        k.reply(request, message);
        k.done(request);
    });
    const Source source = read();
    ASSERT_EQ(source.unread.size(), 1U);
    EXPECT_EQ(source.unread[0].what, "RTM_NEWLINK eth3");
    ASSERT_EQ(report.links.size(), 1U);
    EXPECT_FALSE(report.links[0].mtu);
    EXPECT_EQ(report.links[0].min_mtu, 68U);
}

TEST_F(NetlinkDumps, AKernelThatDoesNotAnswerIsATimeout) {
    links([](FakeKernel&, const auto&) {}, 1000);
    const Source source = read();
    ASSERT_EQ(source.unread.size(), 1U);
    EXPECT_EQ(source.unread[0].error, "timeout");
}

TEST_F(NetlinkDumps, ASourceThatRefusesEverythingIsUnavailable) {
    FakeKernel deaf;
    const Source source = read_rtnetlink(deaf, report);
    EXPECT_EQ(source.unavailable, "EOPNOTSUPP");
}

// The same reader on the running kernel: what every machine has.
TEST(NetlinkKernel, TheLoopbackLinkIsRead) {
    const auto machine = Machine::open("/");
    ASSERT_TRUE(machine);
    NodeReport report;
    observe_rtnetlink(*machine, report);
    EXPECT_FALSE(report.sources["rtnetlink"].unavailable);
    ASSERT_FALSE(report.links.empty());
    EXPECT_EQ(report.links[0].ifname, "lo");
    EXPECT_EQ(report.links[0].link_type, "loopback");
    EXPECT_EQ(report.links[0].address->text(), "00:00:00:00:00:00");
    EXPECT_GE(report.rules.size(), 3U);
}

TEST(NetlinkKernel, ARefusedRequestBringsTheKernelsWords) {
    const auto transport = open_netlink(NETLINK_ROUTE, "rtnetlink");
    ASSERT_TRUE(transport);
    NetlinkRequest request(RTM_GETLINK, NLM_F_DUMP);
    ifinfomsg header{};
    header.ifi_change = 1;  // strict checking refuses a filter that no dump has
    request.header(header);
    const auto asked = ask(**transport, "RTM_GETLINK", std::move(request), [](const NetlinkMessage&) {});
    ASSERT_FALSE(asked);
    EXPECT_EQ(asked.error().errno_value, EINVAL);
    EXPECT_FALSE(asked.error().kernel_text.empty());
}

TEST(NetlinkRecorded, ARecordedTreeIsNotAsked) {
    const auto machine = Machine::open("/usr");
    ASSERT_TRUE(machine);
    NodeReport report;
    observe_rtnetlink(*machine, report);
    EXPECT_EQ(report.sources["rtnetlink"].unavailable, "recorded");
    EXPECT_TRUE(report.links.empty());
}

}  // namespace
}  // namespace pve_rdma::test
