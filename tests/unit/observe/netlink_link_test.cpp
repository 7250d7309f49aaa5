// Links that this kernel may not have, from messages made by hand: IPoIB, bonds, virtual functions, VLANs.
#include <algorithm>

#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include <gtest/gtest.h>

#include "netlink_fake.h"
#include "observe/link_decode.h"

namespace pve_rdma::test {
namespace {

NetlinkRequest link_message(int ifindex, const std::string& name, std::uint16_t type, unsigned flags = 0) {
    NetlinkRequest message(RTM_NEWLINK, 0);
    ifinfomsg header{};
    header.ifi_index = ifindex;
    header.ifi_type = type;
    header.ifi_flags = flags;
    message.header(header).text(IFLA_IFNAME, name);
    return message;
}

NetlinkRequest ipoib_child() {
    auto message = link_message(9, "ib0p8001", ARPHRD_INFINIBAND, IFF_UP | IFF_BROADCAST | IFF_MULTICAST);
    std::array<std::uint8_t, 20> address{0x80, 0x00, 0x02, 0x08, 0xfe, 0x80};
    address[19] = 0x1a;
    message.bytes_of(IFLA_ADDRESS, address).number(IFLA_LINK, 4).number(IFLA_MTU, 2044);
    message.nested(IFLA_LINKINFO, [](NetlinkRequest& info) {
        info.text(IFLA_INFO_KIND, "ipoib");
        info.nested(IFLA_INFO_DATA, [](NetlinkRequest& data) {
            data.bytes_of(IFLA_IPOIB_PKEY, std::uint16_t{0x8001})
                .bytes_of(IFLA_IPOIB_MODE, std::uint16_t{1})
                .bytes_of(IFLA_IPOIB_UMCAST, std::uint16_t{0});
        });
    });
    return message;
}

TEST(NetlinkLinks, AnIpoibChildHasTwentyOctetsItsPKeyAndItsMode) {
    const auto message = ipoib_child();
    Link link;
    EXPECT_FALSE(decode_link(as_message(message), link));
    EXPECT_EQ(link.link_type, "infiniband");
    EXPECT_EQ(link.address->text(), "80:00:02:08:fe:80:00:00:00:00:00:00:00:00:00:00:00:00:00:1a");
    EXPECT_EQ(link.flags, (std::vector<std::string>{"NO-CARRIER", "BROADCAST", "MULTICAST", "UP"}));
    ASSERT_TRUE(link.ipoib);
    EXPECT_EQ(link.ipoib->key, "0x8001");
    EXPECT_EQ(link.ipoib->mode, "connected");
    EXPECT_EQ(link.ipoib->umcast, "0000");
}

TEST(NetlinkLinks, NamesOfOtherLinksAreJoined) {
    const auto child = ipoib_child();
    auto parent = link_message(4, "ib0", ARPHRD_INFINIBAND);
    parent.number(IFLA_MASTER, 12);
    std::vector<Link> links(2);
    ASSERT_FALSE(decode_link(as_message(parent), links[0]));
    ASSERT_FALSE(decode_link(as_message(child), links[1]));
    resolve_names(links);
    EXPECT_EQ(links[1].link, "ib0");
    EXPECT_EQ(links[1].flags.back(), "M-DOWN");  // ib0 is not up
    EXPECT_EQ(links[0].master, "if12");          // as ip(8) writes a link that is not there
}

TEST(NetlinkLinks, ALinkInAnotherNamespaceKeepsItsNumberOnly) {
    auto message = link_message(5, "veth5", ARPHRD_ETHER, IFF_UP);
    message.number(IFLA_LINK, 2).number(IFLA_LINK_NETNSID, 0);
    std::vector<Link> links(1);
    ASSERT_FALSE(decode_link(as_message(message), links[0]));
    resolve_names(links);
    EXPECT_FALSE(links[0].link);
    EXPECT_EQ(links[0].link_index, 2U);
    EXPECT_EQ(links[0].link_netnsid, 0);
    EXPECT_EQ(std::ranges::count(links[0].flags, "M-DOWN"), 0);
}

TEST(NetlinkLinks, ABondOfIpoibPorts) {
    auto message = link_message(20, "bond0", ARPHRD_INFINIBAND, IFF_UP | IFF_RUNNING | IFF_MASTER);
    message.nested(IFLA_LINKINFO, [](NetlinkRequest& info) {
        info.text(IFLA_INFO_KIND, "bond");
        info.nested(IFLA_INFO_DATA, [](NetlinkRequest& data) {
            data.octet(IFLA_BOND_MODE, 1)
                .number(IFLA_BOND_ACTIVE_SLAVE, 4)
                .number(IFLA_BOND_MIIMON, 100)
                .octet(IFLA_BOND_FAIL_OVER_MAC, 1)
                .number(IFLA_BOND_PRIMARY, 4)
                .octet(IFLA_BOND_XMIT_HASH_POLICY, 99);
            data.nested(IFLA_BOND_ARP_IP_TARGET, [](NetlinkRequest& targets) {
                targets.bytes_of(0, std::array<std::uint8_t, 4>{192, 0, 2, 1});
            });
        });
    });
    std::vector<Link> links(2);
    ASSERT_FALSE(decode_link(as_message(message), links[0]));
    const auto port = link_message(4, "ib0", ARPHRD_INFINIBAND);
    ASSERT_FALSE(decode_link(as_message(port), links[1]));
    resolve_names(links);
    ASSERT_TRUE(links[0].bond);
    const Bond& bond = *links[0].bond;
    EXPECT_EQ(bond.mode, "active-backup");
    EXPECT_EQ(bond.active_slave, "ib0");
    EXPECT_EQ(bond.primary, "ib0");
    EXPECT_EQ(bond.miimon, 100U);
    EXPECT_EQ(bond.fail_over_mac, "active");
    EXPECT_EQ(bond.xmit_hash_policy, "99");  // newer than our words
    ASSERT_EQ(bond.arp_ip_target.size(), 1U);
    EXPECT_EQ(bond.arp_ip_target[0].text(), "192.0.2.1");
}

TEST(NetlinkLinks, VirtualFunctionsOfAnInfiniBandCard) {
    auto message = link_message(4, "ib0", ARPHRD_INFINIBAND);
    message.number(IFLA_NUM_VF, 1);
    message.nested(IFLA_VFINFO_LIST, [](NetlinkRequest& list) {
        list.nested(IFLA_VF_INFO, [](NetlinkRequest& vf) {
            ifla_vf_mac mac{};
            mac.mac[0] = 0x80;
            mac.mac[19] = 0x11;
            mac.mac[20] = 0xee;  // beyond the address
            ifla_vf_guid guid{};
            guid.guid = 0x0002c90300a1001aULL;
            ifla_vf_link_state state{0, IFLA_VF_LINK_STATE_DISABLE};
            ifla_vf_trust trust{0, 1};
            ifla_vf_spoofchk unknown{0, 0xffffffffU};
            ifla_vf_rate rate{0, 5, 100};
            vf.bytes_of(IFLA_VF_MAC, mac)
                .bytes_of(IFLA_VF_IB_NODE_GUID, guid)
                .bytes_of(IFLA_VF_LINK_STATE, state)
                .bytes_of(IFLA_VF_TRUST, trust)
                .bytes_of(IFLA_VF_SPOOFCHK, unknown)
                .bytes_of(IFLA_VF_RATE, rate);
        });
    });
    Link link;
    ASSERT_FALSE(decode_link(as_message(message), link));
    ASSERT_EQ(link.vfinfo_list.size(), 1U);
    const Vf& vf = link.vfinfo_list[0];
    EXPECT_EQ(vf.address->text(), "80:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:11");
    EXPECT_EQ(vf.node_guid->text(), "00:02:c9:03:00:a1:00:1a");
    EXPECT_EQ(vf.link_state, "disable");
    EXPECT_EQ(vf.trust, true);
    EXPECT_FALSE(vf.spoofchk);
    EXPECT_EQ(vf.rate, (VfRate{100, 5}));
}

TEST(NetlinkLinks, AVlanLinkHasItsProtocolFlagsAndMaps) {
    auto message = link_message(8, "nic0.100", ARPHRD_ETHER);
    message.nested(IFLA_LINKINFO, [](NetlinkRequest& info) {
        info.text(IFLA_INFO_KIND, "vlan");
        info.nested(IFLA_INFO_DATA, [](NetlinkRequest& data) {
            data.bytes_of(IFLA_VLAN_ID, std::uint16_t{100});
            data.bytes_of(IFLA_VLAN_PROTOCOL, htobe16(ETH_P_8021AD));
            data.bytes_of(IFLA_VLAN_FLAGS, ifla_vlan_flags{.flags = 0x9, .mask = ~0U});
            data.nested(IFLA_VLAN_EGRESS_QOS, [](NetlinkRequest& map) {
                map.bytes_of(IFLA_VLAN_QOS_MAPPING, ifla_vlan_qos_mapping{.from = 3, .to = 5});
            });
        });
    });
    Link link;
    ASSERT_FALSE(decode_link(as_message(message), link));
    ASSERT_TRUE(link.vlan);
    EXPECT_EQ(link.vlan->id, 100U);
    EXPECT_EQ(link.vlan->protocol, "802.1ad");
    EXPECT_EQ(link.vlan->flags, (std::vector<std::string>{"REORDER_HDR", "MVRP"}));
    EXPECT_EQ(link.vlan->egress_qos, (std::vector<QosMapping>{{3, 5}}));
}

TEST(NetlinkLinks, AKindThatIsNotKnownKeepsItsName) {
    auto message = link_message(8, "x0", ARPHRD_ETHER);
    message.nested(IFLA_LINKINFO, [](NetlinkRequest& info) {
        info.text(IFLA_INFO_KIND, "newkind").text(IFLA_INFO_SLAVE_KIND, "newmaster");
        info.nested(IFLA_INFO_DATA, [](NetlinkRequest& data) { data.number(1, 2); });
    });
    Link link;
    EXPECT_FALSE(decode_link(as_message(message), link));
    EXPECT_EQ(link.info_kind, "newkind");
    EXPECT_EQ(link.info_slave_kind, "newmaster");
}

// Whatever is cut off where: no read beyond the end (the sanitizers' build sees it), and no crash.
TEST(NetlinkLinks, EveryTruncationIsSurvived) {
    const auto message = ipoib_child();
    for (std::size_t length = 0; length < message.bytes().size() - sizeof(nlmsghdr); ++length) {
        std::vector<std::byte> cut(
            message.bytes().begin() + sizeof(nlmsghdr),
            message.bytes().begin() + static_cast<std::ptrdiff_t>(sizeof(nlmsghdr) + length));
        Link link;
        decode_link({.header = {}, .body = cut}, link);
    }
    // And every octet of it changed.
    std::vector<std::byte> body(message.bytes().begin() + sizeof(nlmsghdr), message.bytes().end());
    for (std::size_t at = 0; at < body.size(); ++at) {
        const auto kept = body[at];
        for (const unsigned value : {0x00U, 0x01U, 0x7fU, 0xffU}) {
            body[at] = static_cast<std::byte>(value);
            Link link;
            decode_link({.header = {}, .body = body}, link);
        }
        body[at] = kept;
    }
}

}  // namespace
}  // namespace pve_rdma::test
