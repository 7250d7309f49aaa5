// Requests about hardware that no test machine has: what is asked for is what our own decoders would read.
#include <linux/ethtool_netlink.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include <gtest/gtest.h>

#include "kernel/ethtool_requests.h"
#include "kernel/read_network.h"
#include "kernel/requests.h"
#include "observe/ethtool_bitset.h"
#include "observe/link_kinds.h"
#include "observe/netlink_table.h"

namespace pve_rdma {
namespace {

Octets behind(const NetlinkRequest& request, std::size_t header) {
    return request.bytes().subspan(sizeof(nlmsghdr) + header);
}

Vf asked_of_vf(const std::string& key, const std::string& value) {
    Link card{.ifindex = 7};
    card.num_vf = 4;
    card.vfinfo_list.resize(4);
    card.vfinfo_list[3] = Vf{.vf = 3, .vlan = 5, .qos = 2};
    const auto request = setting_request(card, SettingKey("vf.3." + key), value, {});
    std::vector<Vf> vfs;
    const auto list = find_attribute(behind(request, sizeof(ifinfomsg)), IFLA_VFINFO_LIST);
    if (!list || decode_vfs(*list, ARPHRD_ETHER, vfs) || vfs.size() != 1) return {};
    return vfs.front();
}

TEST(Requests, OfVirtualFunctionsAreReadBack) {
    EXPECT_EQ(asked_of_vf("mac", "02:00:00:00:00:07").address->text(), "02:00:00:00:00:07");
    EXPECT_EQ(asked_of_vf("vlan", "42").vlan, 42U);
    EXPECT_EQ(asked_of_vf("vlan", "42").qos, 2U) << "the priority stays";
    EXPECT_EQ(asked_of_vf("vlan", "0").qos, std::nullopt);
    EXPECT_EQ(asked_of_vf("trust", "true").trust, true);
    EXPECT_EQ(asked_of_vf("spoofchk", "false").spoofchk, false);
    EXPECT_EQ(asked_of_vf("node_guid", "02:c9:03:00:00:a0:b0:11").node_guid->text(),
              "02:c9:03:00:00:a0:b0:11");
    EXPECT_EQ(asked_of_vf("port_guid", "02:c9:03:00:00:a0:b0:12").port_guid->text(),
              "02:c9:03:00:00:a0:b0:12");
}

TEST(Requests, OfEthtoolNameTheLinkAndTheValue) {
    const GenericFamily family{.id = 21, .version = 1};
    const auto attributes = [&](const NetlinkRequest& request) {
        return behind(request, sizeof(genlmsghdr));
    };
    const auto ring = ethtool_request(family, 7, "rx_ring", "4096");
    const auto header = find_attribute(attributes(ring), 1);
    ASSERT_TRUE(header);
    EXPECT_EQ(payload_number(*find_attribute(*header, ETHTOOL_A_HEADER_DEV_INDEX)), 7U);
    EXPECT_EQ(payload_number(*find_attribute(attributes(ring), ETHTOOL_A_RINGS_RX)), 4096U);

    const auto modes = [&](const std::string& value) {
        const auto request = ethtool_request(family, 7, "fec", value);
        return parse_named_bits(*find_attribute(attributes(request), ETHTOOL_A_FEC_MODES));
    };
    ASSERT_EQ(modes("rs").size(), 1U);
    EXPECT_EQ(modes("rs").front().name, "RS");
    EXPECT_EQ(modes("off").front().name, "None");
    EXPECT_TRUE(modes("auto").empty());
}

TEST(Requests, HaveEverySettingOfALinkMessage) {
    for (const auto& rule : setting_rules()) {
        if (rule.way != SettingWay::link_message || rule.key == "up") continue;  // `up` is a flag
        std::string key(rule.key);
        if (rule.kind == "vf") key.insert(2, ".0");
        const std::string value = !rule.words.empty() ? std::string(rule.words.back()) : "7";
        const auto request =
            setting_request(Link{.ifindex = 7}, SettingKey(key), value, [](const std::string&) { return 9; });
        // More than the kind of a link around nothing: IFLA_LINKINFO with an empty IFLA_INFO_DATA.
        std::size_t inner = 0;
        const auto data = find_attribute(behind(request, sizeof(ifinfomsg)), IFLA_LINKINFO);
        if (data) inner = find_attribute(*data, IFLA_INFO_DATA).value_or(Octets{}).size();
        EXPECT_TRUE(data ? inner > 0 : !behind(request, sizeof(ifinfomsg)).empty()) << rule.key;
    }
}

TEST(Requests, RefuseWordsThatTheKernelDoesNotKnow) {
    RouteEntry route{.dev = "nic0", .table = "no such table"};
    const auto request = route_request(ObjectChange::add, 7, route);
    ASSERT_FALSE(request);
    EXPECT_EQ(request.error().code, ErrorCode::bad_request);
}

TEST(Sysctls, OfLinksWithDotsInTheirNamesHaveTheirFile) {
    EXPECT_EQ(sysctl_path("net.ipv4.tcp_rmem"), "/proc/sys/net/ipv4/tcp_rmem");
    EXPECT_EQ(sysctl_path("net.ipv4.conf.all.rp_filter"), "/proc/sys/net/ipv4/conf/all/rp_filter");
    EXPECT_EQ(sysctl_path("net.ipv4.conf.ib0.8001.rp_filter"), "/proc/sys/net/ipv4/conf/ib0.8001/rp_filter");
    EXPECT_EQ(sysctl_value("4096\t131072\t6291456\n"), "4096 131072 6291456");
}

}  // namespace
}  // namespace pve_rdma
