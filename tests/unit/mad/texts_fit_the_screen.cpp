#include <gtest/gtest.h>

#include "mad/render_text.h"

namespace pve_rdma {
namespace {

TEST(RenderText, BreaksAtSpacesBelowItsOwnText) {
    const auto text = wrapped("label  ", std::string(70, 'a') + " " + std::string(20, 'b'));
    EXPECT_EQ(text, "label  " + std::string(70, 'a') + "\n       " + std::string(20, 'b') + "\n");
}

TEST(RenderText, AFullLineIsNotBroken) {
    EXPECT_EQ(wrapped("", std::string(80, 'x')), std::string(80, 'x') + "\n");
    EXPECT_EQ(wrapped("ab  ", ""), "ab\n");
}

}  // namespace
}  // namespace pve_rdma
