// `pve-rdma mtu`: which peers it takes, and its text on a narrow terminal.
#include <gtest/gtest.h>

#include "operations/mtu_peers.h"
#include "operations/mtu_text.h"
#include "operations/reply.h"

namespace pve_rdma {
namespace {

std::vector<Link> links() {
    Link link;
    link.ifindex = 3;
    link.ifname = "vmbr0";
    return {link};
}

TEST(MtuPeerAddress, IsAnAddressInItsShortestForm) {
    EXPECT_EQ(peer_address("192.0.2.1", links())->text, "192.0.2.1");
    EXPECT_EQ(peer_address("2001:DB8:0:0::1", links())->text, "2001:db8::1");
    for (const auto* scoped : {"fe80::1%vmbr0", "FE80:0::1%3"}) {
        const auto peer = peer_address(scoped, links());
        ASSERT_TRUE(peer) << scoped;
        EXPECT_EQ(peer->text, "fe80::1%vmbr0");
        EXPECT_EQ(peer->ifindex, 3u);
    }
}

TEST(MtuPeerAddress, AnythingElseIsRefused) {
    for (const auto* text :
         {"", "localhost", "pve1.example.com", "192.0.2", "192.0.2.1/24", "192.0.2.1%vmbr0", "0.0.0.0",
          "::", "224.0.0.1", "255.255.255.255", "ff02::1", "fe80::1", "fe80::1%", "fe80::1%eth9", "fe80::1%4",
          "2001:db8::1%vmbr0", "::ffff:192.0.2.1", " 192.0.2.1"}) {
        const auto peer = peer_address(text, links());
        ASSERT_FALSE(peer) << text;
        EXPECT_EQ(peer.error().code, ErrorCode::bad_request) << text;
        EXPECT_EQ(peer.error().subject, text);
        EXPECT_FALSE(peer.error().message.empty());
    }
}

TEST(MtuOperation, AWrongAddressEndsWithTwo) {
    const Reply reply = call("mtu", Face::api, R"({"peer":["127.0.0.1","nowhere"]})");
    EXPECT_EQ(reply.exit_code(), 2);
    EXPECT_EQ(reply.failure->subject, "nowhere");
    EXPECT_FALSE(reply.mtu);
    EXPECT_EQ(call("mtu", Face::api, R"({"timeout_ms":1})").exit_code(), 2);
}

TEST(MtuOperation, TooManyPeersAreRefused) {
    std::string peers = R"("192.0.2.1")";
    for (int i = 0; i < 4096; ++i)
        peers += R"(,"192.0.2.1")";
    const Reply reply = call("mtu", Face::api, R"({"peer":[)" + peers + "]}");
    EXPECT_EQ(reply.exit_code(), 2);
    EXPECT_EQ(reply.failure->subject, "peer");
}

TEST(MtuOperation, WithoutPeersItShowsChains) {
    const Reply reply = call("mtu", Face::api, "");
    ASSERT_FALSE(reply.failure) << reply.failure->text();
    EXPECT_EQ(reply.exit_code(), 0);
    EXPECT_TRUE(reply.mtu->peers.empty());
}

TEST(MtuText, FitsTheTerminalAndNamesTheSmallestHop) {
    MtuChain chain{.link = "vmbr1",
                   .addresses = {"192.0.2.1/24"},
                   .hops = {{.name = "vmbr1", .kind = "bridge", .mtu = 9000, .limit = 9000},
                            {.name = "enp65s0f0np0",
                             .kind = "ether",
                             .depth = 1,
                             .role = "port of vmbr1",
                             .mtu = 1500,
                             .limit = 1500}},
                   .sent = 9000,
                   .mtu = 1500,
                   .smallest = "enp65s0f0np0",
                   .message = "9000 is sent, but enp65s0f0np0 (port of vmbr1) carries no more than 1500",
                   .remedy = "raise it, and some more words so that this line has to be broken in two"};
    MtuAnswer answer{.chains = {chain}};
    for (const auto* address : {"192.0.2.2", "192.0.2.3"})
        answer.peers.push_back({.address = address,
                                .chain = chain,
                                .probe = {.verdict = "blackhole"},
                                .message = "blackhole above 1500",
                                .remedy = "do something about it"});
    answer.peers.push_back({.address = "203.0.113.7", .message = "no route leads there"});
    for (const int width : {40, 80}) {
        const std::string text = mtu_text(answer, {.width = width});
        EXPECT_NE(text.find("enp65s0f0np0"), std::string::npos);
        EXPECT_NE(text.find("Without a route"), std::string::npos);
        EXPECT_EQ(text.find("By vmbr1"), text.rfind("By vmbr1")) << "peers of one chain share it";
        EXPECT_EQ(text.back(), '\n');
        std::size_t begin = 0;
        while (width == 80 && begin < text.size()) {
            const std::size_t end = text.find('\n', begin);
            EXPECT_LE(end - begin, 80u) << text.substr(begin, end - begin);
            begin = end + 1;
        }
    }
    EXPECT_EQ(mtu_text({}, {}), "no link with an address is up\n");
}

}  // namespace
}  // namespace pve_rdma
