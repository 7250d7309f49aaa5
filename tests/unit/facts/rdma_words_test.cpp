// Codes and bits become the words of rdma(8).
#include "facts/rdma_words.h"

#include <gtest/gtest.h>

namespace pve_rdma {
namespace {

TEST(PortCapabilities, AreNamedAsRdmaNamesThem) {
    EXPECT_EQ(port_capability_words(0x2), std::vector<std::string>{"SM"});
    EXPECT_EQ(port_capability_words(0x02514868),
              (std::vector<std::string>{"TRAP", "AUTO_MIGR", "SL_MAP", "SYS_IMAGE_GUID", "EXTENDED_SPEEDS",
                                        "CM", "VENDOR_CLASS", "CAP_MASK_NOTICE", "CLIENT_REG"}));
    EXPECT_EQ(port_capability_words(1u << 31), std::vector<std::string>{"HIERARCHY_INFO"});
    EXPECT_TRUE(port_capability_words(0).empty());
}

TEST(PortCapabilities, BitsBeyondTheListAreUnknown) {
    EXPECT_EQ(port_capability_words(1ULL << 60), (std::vector<std::string>{"UNKNOWN"}));
    EXPECT_TRUE(port_capability_words(0).empty());
}

TEST(KnownWord, IsEmptyBeyondTheListAndWhereThereIsNone) {
    EXPECT_EQ(known_word(port_state_words, 4), "ACTIVE");
    EXPECT_EQ(known_word(port_state_words, 6), "");
    EXPECT_EQ(known_word(node_type_words, 0), "");
}

}  // namespace
}  // namespace pve_rdma
