// GUIDs, GIDs, P_Keys and LIDs: read in every usual form, and what is none is refused.
#include <gtest/gtest.h>

#include "base/guid.h"
#include "base/lid.h"
#include "base/number.h"
#include "base/pkey.h"

namespace pve_rdma {
namespace {

TEST(Guid, IsReadInEveryForm) {
    const Guid guid{0x0002c90300a1001a};
    for (const char* text :
         {"0x0002c90300a1001a", "0002:c903:00a1:001a", "00:02:c9:03:00:a1:00:1a", "2c90300a1001A"})
        EXPECT_EQ(Guid::parse(text), guid) << text;
    EXPECT_EQ(guid.text(), "0x0002c90300a1001a");
    EXPECT_EQ(Guid::parse(guid.text()), guid);
    EXPECT_TRUE(Guid::parse("0000:0000:0000:0000")->is_zero());
}

TEST(Guid, RefusesWhatIsNone) {
    for (const char* text : {"", "0x", "xyz", "0x0002c90300a1001a0", ":::", "-1"}) {
        const auto guid = Guid::parse(text);
        ASSERT_FALSE(guid) << text;
        EXPECT_EQ(guid.error().code, ErrorCode::malformed);
        EXPECT_FALSE(guid.error().hint.empty());
    }
}

TEST(Gid, IsPrefixAndGuid) {
    const auto gid = Gid::parse("fe80:0000:0000:0000:0002:c903:00a1:001a");
    ASSERT_TRUE(gid);
    EXPECT_EQ(gid->prefix(), 0xfe80000000000000u);
    EXPECT_EQ(gid->guid(), Guid{0x0002c90300a1001a});
    EXPECT_EQ(Gid::from(gid->prefix(), gid->guid()), *gid);
    EXPECT_EQ(gid->text(), "fe80:0000:0000:0000:0002:c903:00a1:001a");
    EXPECT_EQ(Gid::parse("fe80::2:c903:a1:1a"), *gid);
    EXPECT_EQ(Gid::parse("::ffff:192.0.2.1")->text(), "0000:0000:0000:0000:0000:ffff:c000:0201");
    EXPECT_TRUE(Gid{}.is_zero());
    for (const char* text : {"", "fe80", "fe80::1::2", "fe80::1%eth0"})
        EXPECT_FALSE(Gid::parse(text)) << text;
}

TEST(PKey, HasMembershipInItsTopBit) {
    EXPECT_EQ(PKey::parse("0xffff"), PKey{0xffff});
    EXPECT_EQ(PKey::parse("8001"), PKey{0x8001});
    EXPECT_TRUE(PKey{0x8001}.full_member());
    EXPECT_FALSE(PKey{0x0001}.full_member());
    EXPECT_EQ(PKey{0x8001}.partition(), 1);
    EXPECT_EQ(PKey{1}.text(), "0x0001");
    for (const char* text : {"", "0x", "0x18001", "-1", "80 01", "g"})
        EXPECT_FALSE(PKey::parse(text)) << text;
}

TEST(Lid, IsUnicast) {
    EXPECT_EQ(Lid::parse("0x3a4")->value(), 0x3a4);
    EXPECT_EQ(Lid::parse("932")->value(), 932);
    EXPECT_EQ(Lid::from(0xbfff)->text(), "49151");
    for (const char* text : {"0", "0xc000", "65535", "", "x", "-1", "99999999999"})
        EXPECT_FALSE(Lid::parse(text)) << text;
}

TEST(Number, TakesTheWholeTextOrNothing) {
    EXPECT_EQ(parse_number<std::uint8_t>("255"), 255);
    EXPECT_EQ(parse_number<std::uint8_t>("256"), std::nullopt);
    EXPECT_EQ(parse_number<std::uint32_t>("0x10", 0), 16u);
    EXPECT_EQ(parse_number<std::uint32_t>("010", 0), 10u) << "no octal";
    EXPECT_EQ(parse_number<int>("-1"), -1);
    for (const char* text : {"", " 1", "1 ", "1x", "0x", "--1", "+1"})
        EXPECT_EQ(parse_number<std::uint32_t>(text, 0), std::nullopt) << text;
}

}  // namespace
}  // namespace pve_rdma
