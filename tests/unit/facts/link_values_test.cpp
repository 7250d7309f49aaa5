// Values of links and routes: what their text says, and that it reads back.
#include <gtest/gtest.h>

#include "facts/report.h"

namespace pve_rdma {
namespace {

TEST(HardwareAddresses, OfSixAndTwentyOctetsReadBack) {
    for (const char* text :
         {"52:54:00:12:34:56", "80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:a1:00:1a", ""}) {
        const auto address = HardwareAddress::parse(text);
        ASSERT_TRUE(address) << text;
        EXPECT_EQ(address->text(), text);
    }
    EXPECT_EQ(HardwareAddress::parse("80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:a1:00:1a")->length,
              20);
}

TEST(HardwareAddresses, WhatIsNoneIsRefused) {
    for (const char* text : {"5", "52:", "52:5", "52:54:", "52-54", "zz:00", "52:54:00:12:34:567", "+1:00"})
        EXPECT_FALSE(HardwareAddress::parse(text)) << text;
    std::string long_one = "00";
    for (int i = 0; i < 32; ++i)
        long_one += ":00";
    EXPECT_FALSE(HardwareAddress::parse(long_one));
}

TEST(IpPrefixes, AreWrittenAsIpDoes) {
    for (const char* text : {"default", "192.0.2.0/24", "192.0.2.7", "2001:db8::/32", "::1"}) {
        const auto prefix = IpPrefix::parse(text);
        ASSERT_TRUE(prefix) << text;
        EXPECT_EQ(prefix->text(), text);
    }
    EXPECT_EQ(IpPrefix::parse("192.0.2.7/32")->text(), "192.0.2.7");
    for (const char* text :
         {"192.0.2.0/33", "192.0.2/24", "/24", "2001:db8::/129", "192.0.2.0/", "1.2.3.4/-1"})
        EXPECT_FALSE(IpPrefix::parse(text)) << text;
}

TEST(IpAddresses, KnowWhatTheyAre) {
    EXPECT_TRUE(IpAddress::parse("239.1.1.1")->is_multicast());
    EXPECT_FALSE(IpAddress::parse("192.0.2.1")->is_multicast());
    EXPECT_TRUE(IpAddress::parse("ff12::1")->is_multicast());
    EXPECT_TRUE(IpAddress::parse("::")->is_unspecified());
    EXPECT_TRUE(IpAddress::parse("::")->is_v6());
    EXPECT_FALSE(IpAddress::from(std::vector<std::uint8_t>(5)));
}

TEST(Reports, OfLinksAndRoutesReadBack) {
    NodeReport report;
    auto& link = report.links.emplace_back();
    link.ifindex = 4;
    link.ifname = "ib0";
    link.address = *HardwareAddress::parse("80:00:02:08:fe:80");
    link.bond.emplace().mode = "active-backup";
    link.bond->ad_info.emplace().aggregator = 1;
    link.ethernet.emplace().speed = 100000;
    link.ethernet->fec.emplace().auto_ = true;
    link.ethernet->module =
        Transceiver{.identifier = "QSFP28", .diagnostics = {{.what = "temperature", .value = 30.5}}};
    link.vfinfo_list.push_back({.vf = 3, .vlan_list = std::vector<VfVlan>{{.vlan = 5}}});
    auto& route = report.routes.emplace_back();
    route.dst = *IpPrefix::parse("192.0.2.0/24");
    route.metrics = RouteMetrics{.mtu = 2044};
    route.nexthops.push_back({.gateway = *IpAddress::parse("192.0.2.1"), .dev = "ib0", .weight = 1});
    report.rules.push_back({.family = "inet", .priority = 5, .not_ = true, .src = "all"});
    report.addresses.push_back({.ifindex = 4, .ifname = "ib0", .local = *IpAddress::parse("::1")});
    const auto back = parse_report(report_json(report), "test");
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(*back, report);
    EXPECT_TRUE(back->unknown.empty());
}

TEST(BoxedValues, CopyDeeplyAndCompareByValue) {
    Boxed<std::string> one{"a"}, none;
    Boxed<std::string> two = one;
    EXPECT_EQ(one, two);
    *two = "b";
    EXPECT_NE(one, two);
    EXPECT_EQ(*one, "a");
    EXPECT_NE(one, none);
    none = one;
    EXPECT_EQ(none, one);
    none = Boxed<std::string>{};
    EXPECT_FALSE(none.has_value());
}

}  // namespace
}  // namespace pve_rdma
