// What the nodes of a cluster can send each other by their own links.
#include "path/mtu_matrix.h"

#include <gtest/gtest.h>

namespace pve_rdma {
namespace {

Address address(const std::string& link, const std::string& text, std::uint32_t length) {
    Address address{.ifname = link, .prefixlen = length, .scope = "global"};
    address.local = IpAddress::parse(text).value();
    return address;
}

NodeReport node(const std::string& link, std::uint32_t mtu, std::vector<Address> addresses) {
    NodeReport report;
    Link only;
    only.ifname = link;
    only.link_type = "ether";
    only.mtu = mtu;
    report.links.push_back(only);
    report.addresses = std::move(addresses);
    return report;
}

TEST(MtuMatrix, TheSmallerOfTheTwoEndsCounts) {
    const auto one = node("ib0", 65520, {address("ib0", "192.0.2.1", 24)});
    const auto two = node("ens1", 2044, {address("ens1", "192.0.2.2", 24)});
    const std::vector<NamedReport> nodes{{"one", one}, {"two", two}};
    EXPECT_EQ(mtu_matrix(nodes), (std::vector<MtuCell>{
                                     {"one", "two", "192.0.2.0/24", "ib0", "192.0.2.2", 2044},
                                     {"two", "one", "192.0.2.0/24", "ens1", "192.0.2.1", 2044},
                                 }));
}

TEST(MtuMatrix, OnlyNetworksThatAreSharedCount) {
    auto link_local = address("nic", "fe80::1", 64);
    link_local.scope = "link";
    const auto one =
        node("nic", 1500, {address("nic", "192.0.2.1", 24), link_local, address("nic", "192.0.2.1", 32)});
    const auto two = node("nic", 1500, {address("nic", "198.51.100.1", 24), link_local});
    const std::vector<NamedReport> nodes{{"one", one}, {"two", two}};
    EXPECT_TRUE(mtu_matrix(nodes).empty());
}

}  // namespace
}  // namespace pve_rdma
