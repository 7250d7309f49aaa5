#include <gtest/gtest.h>

#include "mad/render_text.h"

namespace pve_rdma {
namespace {

TEST(RenderText, BreaksAtSpacesBelowItsOwnText) {
    const auto text = wrapped("label  ", std::string(70, 'a') + " " + std::string(20, 'b'));
    EXPECT_EQ(text, "label  " + std::string(70, 'a') + "\n       " + std::string(20, 'b') + "\n");
}

TEST(RenderText, BreaksAWordThatNoLineHolds) {
    EXPECT_EQ(wrapped("  ", std::string(100, 'x')),
              "  " + std::string(78, 'x') + "\n  " + std::string(22, 'x') + "\n");
}

TEST(RenderText, AFullLineIsNotBroken) {
    EXPECT_EQ(wrapped("", std::string(80, 'x')), std::string(80, 'x') + "\n");
    EXPECT_EQ(wrapped("ab  ", ""), "ab\n");
}

TEST(RenderText, CutsBetweenCharactersNotOctets) {
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
