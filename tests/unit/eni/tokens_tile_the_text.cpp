// The lexer loses nothing: its tokens, joined in order, are the text.
#include <gtest/gtest.h>

#include "eni/document.h"

namespace pve_rdma::eni {
namespace {

std::string kinds(std::string_view text) {
    constexpr const char* letters = "bswc\\n";
    std::string found;
    Lexer lexer(text);
    std::uint32_t at = 0;
    for (Token token; lexer.next(token); at = token.end) {
        EXPECT_EQ(token.begin, at);
        EXPECT_LT(token.begin, token.end);
        found += letters[static_cast<int>(token.kind)];
    }
    EXPECT_EQ(at, text.size());
    return found;
}

TEST(Tokens, OfAnEmptyTextAreNone) {
    EXPECT_EQ(kinds(""), "");
}

TEST(Tokens, TileEveryOddity) {
    EXPECT_EQ(kinds("auto lo\n"), "wswn");
    EXPECT_EQ(kinds("auto lo"), "wsw");
    EXPECT_EQ(kinds("\xef\xbb\xbf"
                    "auto lo\r\n"),
              "bwswn");
    EXPECT_EQ(kinds("x\xef\xbb\xbf"), "w");
    EXPECT_EQ(kinds("\t# all \\\n"), "scn");
    EXPECT_EQ(kinds("a #b\n"), "wswn");
    EXPECT_EQ(kinds("a \\\n#b\n"), "ws\\wn");
    EXPECT_EQ(kinds("a\\\r\n b\\"), "w\\sw\\");
    EXPECT_EQ(kinds("a\\b \\ \n"), "wswsn");
    EXPECT_EQ(kinds("\f\v \r \n\r\n"), "snn");
    EXPECT_EQ(kinds(std::string_view("a\0b\n", 4)), "wn");
    EXPECT_EQ(kinds("\xff\xfe\n"), "wn");
    EXPECT_EQ(kinds("#c\r"), "c");
}

TEST(Lines, AreNumberedAsAnEditorNumbersThem) {
    const auto document = Document::parse("# a\n\niface e inet \\\n  static\n\tmtu 9\n", "f");
    ASSERT_TRUE(document);
    ASSERT_EQ(document->lines().size(), 4u);
    EXPECT_EQ(document->lines()[2].number, 3u);
    EXPECT_EQ(document->lines()[3].number, 5u);
    EXPECT_EQ(document->lines()[3].kind, LineKind::option);
    const auto words = document->words(document->lines()[2]);
    ASSERT_EQ(words.size(), 4u);
    EXPECT_EQ(document->number(document->lines()[2], words[3].begin), 4);
    EXPECT_EQ(document->column(words[3].begin), 3);
}

TEST(Lines, BelongToAStanzaUpToItsLastOption) {
    const auto document = Document::parse("iface a\n # in\n x 1\n # out\n\nauto a\n", "f");
    ASSERT_EQ(document->stanzas().size(), 1u);
    EXPECT_EQ(document->stanzas()[0].header, 0u);
    EXPECT_EQ(document->stanzas()[0].last, 2u);
}

TEST(Limits, AreErrorsThatSayWhere) {
    const auto line = Document::parse("a\n" + std::string(100'000, 'x'), "f");
    ASSERT_FALSE(line);
    EXPECT_EQ(line.error().code, ErrorCode::malformed);
    EXPECT_EQ(line.error().line, 2);
    EXPECT_FALSE(Document::parse(std::string((16u << 20) + 1, '\n'), "f"));
    EXPECT_FALSE(Document::parse(std::string(2'000'000, '\n'), "f"));
}

}  // namespace
}  // namespace pve_rdma::eni
