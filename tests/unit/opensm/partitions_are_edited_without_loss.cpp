#include <gtest/gtest.h>

#include "base/pkey.h"
#include "opensm/options.h"
#include "opensm/partitions.h"

namespace pve_rdma::opensm {
namespace {

constexpr const char* file = "/etc/opensm/partitions.conf";

std::string edited(const std::optional<std::string>& text, const PartitionEdit& edit) {
    const auto after = with_partition(text, file, edit);
    EXPECT_TRUE(after) << after.error().text();
    return after.value_or("");
}

// As people write it: comments, several lines, another partition.
constexpr const char* lived_in =
    "# storage and the rest\n"
    "Default = 0x7fff , ipoib , mtu=4 : # 2K, the old switch\n"
    "   ALL=full,\n"
    "   ALL_SWITCHES=full ;\n"
    "storage=0x0001,ipoib,rate=7,mtu=4,defmember=full:0x0002c90300a1001a,0x0002c90300a1001b=limited;"
    " # the nodes\n";

TEST(Partitions, AreReadAsOpensmReadsThem) {
    const auto all = parse_partitions(lived_in, file);
    ASSERT_TRUE(all) << all.error().text();
    ASSERT_EQ(all->size(), 2u);
    EXPECT_EQ(all->at(0).name, "Default");
    EXPECT_EQ(all->at(0).pkey, PKey::default_partition);
    EXPECT_TRUE(all->at(0).ipoib);
    EXPECT_EQ(all->at(0).mtu, 2048u);
    EXPECT_EQ(all->at(0).members, (std::vector<std::string>{"ALL=full", "ALL_SWITCHES=full"}));
    EXPECT_EQ(all->at(1).pkey, 1);
    EXPECT_EQ(all->at(1).members.size(), 2u);
}

TEST(Partitions, AnMtuChangesOneWord) {
    std::string wanted = lived_in;
    wanted.replace(wanted.find("mtu=4"), 5, "mtu=5");
    const std::string after =
        edited(lived_in, {.name = "Default", .pkey = PKey::default_partition, .mtu = 4096});
    EXPECT_EQ(after, wanted);
    EXPECT_EQ(edited(after, {.name = "Default", .pkey = PKey::default_partition, .mtu = 2048}), lived_in);
    EXPECT_EQ(edited(lived_in, {.name = "Default", .pkey = PKey::default_partition, .mtu = 2048}), lived_in);
}

TEST(Partitions, AreFoundByTheirKey) {
    EXPECT_NE(edited(lived_in, {.name = "another", .pkey = 1, .mtu = 4096})
                  .find("storage=0x0001,ipoib,rate=7,mtu=5"),
              std::string::npos);
}

TEST(Partitions, WithoutIpoibGetIt) {
    EXPECT_EQ(edited("Default=0x7fff:ALL=full;\n",
                     {.name = "Default", .pkey = PKey::default_partition, .mtu = 4096}),
              "Default=0x7fff,ipoib,mtu=5:ALL=full;\n");
    EXPECT_EQ(edited("Default=0x7fff,ipoib:ALL=full;",
                     {.name = "Default", .pkey = PKey::default_partition, .mtu = 1024}),
              "Default=0x7fff,ipoib,mtu=3:ALL=full;");
}

// With a file opensm gives ports full membership of the default partition only where a rule says so.
TEST(Partitions, TheFirstOneWritesTheDefaultDown) {
    EXPECT_EQ(edited({}, {.name = "storage", .pkey = 1, .mtu = 4096}),
              "Default=0x7fff,ipoib:ALL=full;\nstorage=0x0001,ipoib,mtu=5:ALL=full;\n");
    EXPECT_EQ(edited({}, {.name = "Default", .pkey = PKey::default_partition, .mtu = 4096}),
              "Default=0x7fff,ipoib,mtu=5:ALL=full;\n");
}

// And where the file had none, nobody becomes a full member by an MTU.
TEST(Partitions, AnMtuOfAnUnwrittenDefaultKeepsItsMembers) {
    EXPECT_EQ(edited("storage=0x0001,ipoib:ALL=full;",
                     {.name = "Default", .pkey = PKey::default_partition, .mtu = 4096}),
              "storage=0x0001,ipoib:ALL=full;\nDefault=0x7fff,ipoib,mtu=5:ALL=limited,SELF=full;\n");
}

TEST(Partitions, GoWithTheirLines) {
    EXPECT_EQ(edited("a=0x1:ALL;\n\nb=0x2,ipoib:\n  ALL=full;\nc=0x3:ALL;\n",
                     {.name = "b", .pkey = 2, .absent = true}),
              "a=0x1:ALL;\n\nc=0x3:ALL;\n");
    EXPECT_EQ(edited("a=0x1:ALL; b=0x2:ALL; # both\n", {.name = "b", .pkey = 2, .absent = true}),
              "a=0x1:ALL;  # both\n");
    EXPECT_EQ(edited(lived_in, {.name = "no", .pkey = 9, .absent = true}), lived_in);
}

TEST(Partitions, MembersAreReplacedWhole) {
    const std::string after = edited(lived_in, {.name = "storage", .pkey = 1, .members = {{"ALL_CAS=full"}}});
    EXPECT_NE(after.find("defmember=full:ALL_CAS=full; # the nodes"), std::string::npos) << after;
}

TEST(Partitions, WhatIsNoneIsSaidWithItsPlace) {
    const auto place = [](const char* text) {
        const auto all = parse_partitions(text, file);
        return all ? std::pair(0, 0) : std::pair(all.error().line, all.error().column);
    };
    EXPECT_EQ(place("# fine\nDefault=0x7fff:ALL=full;\n  storage=0x0001\n:ALL;"), std::pair(3, 3));
    EXPECT_EQ(place("Default=0x7fff:ALL=full"), std::pair(1, 1));
    EXPECT_EQ(place("Default=0x7fff,mtu=9:ALL;"), std::pair(1, 16));
    EXPECT_EQ(place("storage=many:ALL;"), std::pair(1, 1));
    EXPECT_EQ(place(""), std::pair(0, 0));
}

TEST(Options, OneLineChanges) {
    const std::string conf = "# opensm.conf\nsm_priority 0\nsm_priority_other 3\nlog_flags 0x3\n";
    EXPECT_EQ(option(conf, "sm_priority"), "0");
    EXPECT_EQ(with_option(conf, "sm_priority", "10"),
              "# opensm.conf\nsm_priority 10\nsm_priority_other 3\nlog_flags 0x3\n");
    EXPECT_EQ(with_option("", "sm_priority", "10"), "sm_priority 10\n");
    EXPECT_EQ(with_option(conf, "sm_priority", "0"), conf);
    EXPECT_EQ(option(conf, "partition_config_file"), std::nullopt);
}

TEST(Options, PortsStandInQuotes) {
    const std::string defaults = "#PORTS=\"0x1 0x2\"\n\nPORTS=ALL\n";
    EXPECT_EQ(ports(defaults), "ALL");
    const std::string two = with_ports(defaults, "0x0000000000000001 0x0000000000000002");
    EXPECT_EQ(two, "#PORTS=\"0x1 0x2\"\n\nPORTS=\"0x0000000000000001 0x0000000000000002\"\n");
    EXPECT_EQ(ports(two), "0x0000000000000001 0x0000000000000002");
    EXPECT_EQ(with_ports(two, "ALL"), defaults);
}

}  // namespace
}  // namespace pve_rdma::opensm
