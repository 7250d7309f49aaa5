// Text keeps to its columns.
#include "base/text.h"

#include <gtest/gtest.h>

namespace pve_rdma {
namespace {

using Lines = std::vector<std::string>;

TEST(TextLines, BreakAtSpaces) {
    EXPECT_EQ(lines_of("one two three", 7), (Lines{"one two", "three"}));
    EXPECT_EQ(lines_of("one two three", 80), Lines{"one two three"});
    EXPECT_EQ(lines_of("", 7), Lines{""});
}

TEST(TextLines, AWordThatNoLineHoldsStandsAloneAndWhole) {
    EXPECT_EQ(lines_of("a " + std::string(100, 'x') + " b", 20), (Lines{"a", std::string(100, 'x'), "b"}));
}

TEST(ShortenedText, CutsBetweenCharactersNotOctets) {
    EXPECT_EQ(columns_of("Gr\xc3\xbc\xc3\x9f"
                         "e"),
              5u);
    EXPECT_EQ(shortened("Gr\xc3\xbc\xc3\x9f"
                        "e",
                        5),
              "Gr\xc3\xbc\xc3\x9f"
              "e");
    EXPECT_EQ(shortened("\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc", 5), "\xc3\xbc\xc3\xbc...");
}

}  // namespace
}  // namespace pve_rdma
