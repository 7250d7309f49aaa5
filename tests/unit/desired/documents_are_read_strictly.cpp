#include <gtest/gtest.h>

#include "desired/desired.h"

namespace pve_rdma {
namespace {

Error refused(const std::string& text) {
    const auto desired = parse_desired(text, "net.json");
    EXPECT_FALSE(desired) << text;
    return desired ? Error{} : desired.error();
}

TEST(Desired, TakesNumbersTruthValuesAndTextAsSettings) {
    const auto desired = parse_desired(
        R"({"links":[{"name":"ib0","mode":"connected","mtu":65520,"up":true,"addresses":[{"address":"192.0.2.1/24","metric":10}]}],
            "sysctl":{"net.ipv4.conf.all.rp_filter":2}})",
        "net.json");
    ASSERT_TRUE(desired) << desired.error().text();
    const auto& link = desired->links.at(0);
    EXPECT_EQ(link.settings,
              (std::map<std::string, std::string>{{"mode", "connected"}, {"mtu", "65520"}, {"up", "true"}}));
    EXPECT_EQ(link.addresses.at(0).address.text(), "192.0.2.1/24");
    EXPECT_EQ(desired->sysctl.at("net.ipv4.conf.all.rp_filter"), "2");
}

TEST(Desired, ReadsWhatItWrites) {
    const std::string text =
        R"({"links":[{"name":"vmbr1","kind":"bridge","ports":["ens19"],"addresses":[{"address":"2001:db8::1/64"}],"mtu":9000,"vlan_aware":true},{"name":"ens19","virtual_functions":[{"vf":3,"mac":"02:00:00:00:00:01","trust":true}],"vfs":8}],"routes":[{"to":"default","via":"192.0.2.254","dev":"ens18","metric":1},{"to":"192.0.2.0/24","dev":"ens18","state":"absent"}],"rules":[{"from":"192.0.2.5","table":"40","priority":100}],"sysctl":{"net.core.rmem_max":"1"}})";
    const auto first = parse_desired(text, "a");
    ASSERT_TRUE(first) << first.error().text();
    const std::string written = desired_json(*first, -1);
    const auto second = parse_desired(written, "b");
    ASSERT_TRUE(second) << second.error().text() << written;
    EXPECT_EQ(written, desired_json(*second, -1));
    EXPECT_EQ(second->links.at(1).virtual_functions.at(0).settings.at("mac"), "02:00:00:00:00:01");
    EXPECT_NE(written.find("\"mtu\":9000"), std::string::npos) << written;
}

TEST(Desired, NamesThePlaceOfAMistake) {
    const Error misspelt = refused("{\"links\":[{\"name\":\"ib0\",\n \"mtuu\":65520}]}");
    EXPECT_EQ(misspelt.line, 2);
    EXPECT_NE(misspelt.hint.find("mtu"), std::string::npos) << misspelt.hint;
    EXPECT_EQ(refused(R"({"routes":[{"to":"10.0.0.0/33"}]})").line, 1);
    EXPECT_NE(refused(R"({"link":[]})").message.find("no such member"), std::string::npos);
    refused(R"({"links":[{"name":"a"},{"name":"a"}]})");
    refused(R"({"links":[{"name":"a","state":"gone"}]})");
    refused(R"({"links":[{"name":"a","mtu":[1]}]})");
    refused(R"({"links":[{"mtu":1500}]})");
    refused(R"({"rules":[{"table":"4"}]})");
    refused(R"({"sysctl":{"kernel.panic":1}})");
    refused(R"({"sysctl":{"net/../../kernel.panic":1}})");
    refused(R"({"links":[{"name":"a","addresses":[{"address":"192.0.2.1/40"}]}]})");
}

}  // namespace
}  // namespace pve_rdma
