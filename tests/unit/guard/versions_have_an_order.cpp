// deb-version(7): the order, and the relations that ask for it.
#include <gtest/gtest.h>

#include "guard/debian_version.h"
#include "guard/relation.h"

namespace pve_rdma::guard {
namespace {

TEST(DebianVersion, ComesInTheOrderOfTheManual) {
    const std::vector<std::string> ascending{"0~",        "",
                                             "1~~",       "1~~a",
                                             "1~",        "1",
                                             "1-0.1",     "1a",
                                             "1+b1",      "1.0",
                                             "1.0-1",     "1.0-1+deb12u1",
                                             "1.0-2",     "1.0-10",
                                             "1.0.1",     "1.10",
                                             "2.0",       "10",
                                             "41mlnx1",   "44.0-2",
                                             "50mlnx1-1", "2410mlnx54-1.2410068",
                                             "1:0.1"};
    for (std::size_t left = 0; left < ascending.size(); ++left)
        for (std::size_t right = 0; right < ascending.size(); ++right)
            EXPECT_EQ(compare_versions(ascending[left], ascending[right]), left <=> right)
                << ascending[left] << " and " << ascending[right];
}

TEST(DebianVersion, SeesWhatIsTheSame) {
    for (const auto& [left, right] : {std::pair{"1.0", "0:1.0"},
                                      {"1.0", "1.0-0"},
                                      {"1.00", "1.0"},
                                      {"1.001", "1.1"},
                                      {"00001.0-01", "1.0-1"}})
        EXPECT_EQ(compare_versions(left, right), std::strong_ordering::equal) << left << " and " << right;
    EXPECT_EQ(compare_versions("99999999999999999999998", "99999999999999999999999"),
              std::strong_ordering::less);
}

TEST(Relation, IsReadWithItsVersionAndWithoutItsArchitecture) {
    for (const char* text :
         {"libc6 (>= 2.36)", "libc6:any (>=2.36)", " libc6 ( >= 2.36 ) [amd64]", "libc6:amd64(>= 2.36)"}) {
        const Relation relation = parse_relation(text);
        EXPECT_EQ(relation.name, "libc6") << text;
        EXPECT_EQ(relation.operation, ">=") << text;
        EXPECT_EQ(relation.version, "2.36") << text;
    }
    EXPECT_EQ(parse_relation("plain").name, "plain");
    EXPECT_EQ(parse_relation("").name, "");
    EXPECT_EQ(parse_relation("a (").name, "a");
    EXPECT_TRUE(parse_relation("a )(").operation.empty());
}

TEST(Relation, FitsByVersionAndByWhatIsProvided) {
    EXPECT_TRUE(fits(parse_relation("a"), "a", "1", ""));
    EXPECT_FALSE(fits(parse_relation("a"), "b", "1", ""));
    EXPECT_TRUE(fits(parse_relation("a (<< 2)"), "a", "1", ""));
    EXPECT_FALSE(fits(parse_relation("a (<< 1)"), "a", "1", ""));
    EXPECT_TRUE(fits(parse_relation("a (< 1)"), "a", "1", ""));  // as dpkg reads it: <=
    EXPECT_TRUE(fits(parse_relation("a (= 1)"), "a", "1", ""));
    EXPECT_TRUE(fits(parse_relation("a"), "b", "1", "x, a"));
    EXPECT_FALSE(fits(parse_relation("a (>= 1)"), "b", "5", "a"));  // provided without a version
    EXPECT_TRUE(fits(parse_relation("a (>= 1)"), "b", "5", "a (= 2)"));
    EXPECT_FALSE(fits(parse_relation("a (>= 3)"), "b", "5", "a (= 2)"));
}

}  // namespace
}  // namespace pve_rdma::guard
