// Random edits on every file of the corpus: other lines keep their octets, and the inverse gives the first
// octets again.
#include <random>

#include <gtest/gtest.h>

#include "corpus.h"
#include "eni/edit.h"
#include "eni/proof.h"
#include "eni/view.h"

namespace pve_rdma::eni {
namespace {

class Dice {
  public:
    explicit Dice(unsigned seed) : engine_(seed) {}
    std::uint32_t below(std::size_t count) { return static_cast<std::uint32_t>(engine_() % count); }
    template <class T>
    const T& one_of(const std::vector<T>& values) {
        return values[below(values.size())];
    }

  private:
    std::mt19937 engine_;
};

struct Edit {
    std::string what;
    Result<Change> change;
    std::size_t lines_gone, lines_come;  // at most, as physical lines
};

Edit random_edit(const Document& document, Dice& dice) {
    const std::vector<std::string> options{"mtu",       "address", "bridge-ports",
                                           "bond-mode", "gateway", "ib-mode"};
    const std::vector<std::string> values{"9000", "192.0.2.77/24", "none", "a b  c", "Büro"};
    const auto stanzas = document.stanzas().size();
    const auto stanza = stanzas ? dice.below(stanzas) : 0;
    const auto whole = static_cast<std::size_t>(std::ranges::count(document.text(), '\n')) + 1;
    switch (document.lines().empty() ? 6 : dice.below(8)) {
        case 0: {
            const auto& option = dice.one_of(options);
            return {"set " + option, set_option(document, stanza, option, dice.one_of(values)), whole, 2};
        }
        case 1: {
            const auto& option = dice.one_of(options);
            return {"add " + option, add_option(document, stanza, option, dice.one_of(values)), 1, 2};
        }
        case 2: {
            std::string option = dice.one_of(options);
            if (stanzas && dice.below(2)) {  // one that is there
                const auto& lines = document.stanzas()[stanza];
                if (lines.last > lines.header)
                    option = document.words(document.lines()[lines.last])[0].in(document.text());
            }
            return {"remove " + option, remove_option(document, stanza, option), whole, 1};
        }
        case 3:
            return {"remove a stanza", remove_stanza(document, stanza), whole, 1};
        case 4:
        case 5: {
            std::string name = "eth0";
            if (stanzas) {
                const auto words = document.words(document.lines()[document.stanzas()[stanza].header]);
                if (words.size() > 1) name = words[1].in(document.text());
            }
            if (dice.below(2)) return {"remove " + name, remove_interface(document, name), whole, whole};
            return {"rename " + name, rename_interface(document, name, "renamed0"), whole, whole};
        }
        case 6:
            return {"add a stanza",
                    add_stanza(document, {.name = "new0",
                                          .family = "inet",
                                          .method = "static",
                                          .options = {{"address", "192.0.2.77/24"}, {"mtu", "9000"}},
                                          .automatic = dice.below(2) == 1}),
                    1, 6};
        default:
            return {"add a source", add_source(document, "/etc/network/interfaces.d/pve-rdma"), 1, 3};
    }
}

// How many lines differ when common ones at both ends are set aside.
std::pair<std::size_t, std::size_t> differing_lines(const std::string& before, const std::string& after) {
    const auto diff = [](const std::string& text) {
        std::vector<std::string> lines;
        std::size_t at = 0;
        while (at < text.size()) {
            const auto end = std::min(text.find('\n', at), text.size() - 1) + 1;
            lines.push_back(text.substr(at, end - at));
            at = end;
        }
        return lines;
    };
    auto old_lines = diff(before), new_lines = diff(after);
    while (!old_lines.empty() && !new_lines.empty() && old_lines.back() == new_lines.back())
        old_lines.pop_back(), new_lines.pop_back();
    std::size_t same = 0;
    while (same < old_lines.size() && same < new_lines.size() && old_lines[same] == new_lines[same])
        ++same;
    return {old_lines.size() - same, new_lines.size() - same};
}

std::vector<std::string> comments(const Document& document) {
    std::vector<std::string> found;
    for (const auto& line : document.lines())
        for (const auto& token : document.tokens(line))
            if (token.kind == TokenKind::comment) found.emplace_back(token.in(document.text()));
    return found;
}

TEST(Edits, AreUndoneByTheirInverseAndTouchNoOtherLine) {
    const auto files = whole_corpus();
    std::map<std::string, int> outcomes;
    for (std::size_t file = 0; file < files.size(); ++file) {
        Dice dice(static_cast<unsigned>(file) + 1);
        for (int round = 0; round < 60; ++round) {
            auto document = Document::parse(files[file].text, files[file].name);
            ASSERT_TRUE(document);
            const Edit edit = random_edit(*document, dice);
            if (!edit.change) {
                EXPECT_NE(edit.change.error().code, ErrorCode::internal) << edit.change.error().text();
                ++outcomes["refused: " + std::string(to_string(edit.change.error().code))];
                continue;
            }
            ++outcomes["made"];
            const auto after = changed_text(document->text(), *edit.change);
            ASSERT_TRUE(after) << files[file].name << ": " << edit.what;
            const auto back = changed_text(*after, inverse(*edit.change));
            ASSERT_TRUE(back) << files[file].name << ": " << edit.what;
            EXPECT_EQ(*back, document->text()) << files[file].name << ": " << edit.what;
            if (!edit.what.starts_with("remove")) {
                EXPECT_EQ(comments(*Document::parse(*after, "")), comments(*document))
                    << files[file].name << ": " << edit.what;
            }
            const auto [gone, come] = differing_lines(document->text(), *after);
            EXPECT_LE(gone, edit.lines_gone) << files[file].name << ": " << edit.what << "\n" << *after;
            EXPECT_LE(come, edit.lines_come) << files[file].name << ": " << edit.what << "\n" << *after;
        }
    }
    for (const auto& [outcome, count] : outcomes)
        std::printf("%6d %s\n", count, outcome.c_str());
    EXPECT_GT(outcomes["made"], 1000);
}

TEST(Edits, DoneAndUndoneByWordsGiveTheFirstOctets) {
    int undone = 0;
    for (const auto& file : whole_corpus()) {
        const auto document = Document::parse(file.text, file.name);
        for (std::uint32_t stanza = 0; stanza < document->stanzas().size(); ++stanza) {
            const auto added = add_option(*document, stanza, "metric", "4711");
            if (!added) continue;
            const auto after = Document::parse(*changed_text(file.text, *added), file.name);
            const auto removed = remove_option(*after, stanza, "metric", "4711");
            ASSERT_TRUE(removed) << file.name << removed.error().text();
            EXPECT_EQ(*changed_text(after->text(), *removed), file.text) << file.name << " stanza " << stanza;
            ++undone;
        }
        const auto added = add_stanza(*document, {.name = "new0", .options = {{"mtu", "9000"}}});
        if (!added || (!document->lines().empty() && document->lines().back().kind == LineKind::blank))
            continue;
        const auto after = Document::parse(*changed_text(file.text, *added), file.name);
        const auto removed = remove_interface(*after, "new0");
        ASSERT_TRUE(removed) << file.name << removed.error().text();
        EXPECT_EQ(*changed_text(after->text(), *removed), file.text) << file.name;
        const auto renamed = rename_interface(*after, "new0", "new1");
        ASSERT_TRUE(renamed) << file.name;
        const auto other = Document::parse(*changed_text(after->text(), *renamed), file.name);
        EXPECT_EQ(*changed_text(other->text(), *rename_interface(*other, "new1", "new0")), after->text());
        ++undone;
    }
    EXPECT_GT(undone, 100);
}

std::string after_setting(const std::string& text, const std::string& option, const std::string& value) {
    const auto document = Document::parse(text, "f");
    const auto change = set_option(*document, 0, option, value);
    return change ? *changed_text(text, *change) : std::string(to_string(change.error().code));
}

TEST(SetOption, ReplacesTheValueAndNothingElse) {
    EXPECT_EQ(after_setting("iface a\n\tmtu\t 1500  \n", "mtu", "9000"), "iface a\n\tmtu\t 9000  \n");
    EXPECT_EQ(after_setting("iface a\n bridge_ports x \\\n  y\n mtu 1\n", "bridge-ports", "z"),
              "iface a\n bridge_ports z\n mtu 1\n");
    EXPECT_EQ(after_setting("iface a\n mtu 9000\n", "mtu", "9000"), "iface a\n mtu 9000\n");
    EXPECT_EQ(after_setting("iface a\n mt\n", "mt", "1"), "iface a\n mt 1\n");
    EXPECT_EQ(after_setting("iface a\n mtu 1\n mtu 2\n", "mtu", "3"), "conflict");
}

TEST(SetOption, WritesAsItsNeighboursDo) {
    EXPECT_EQ(after_setting("iface a\r\n    bridge_ports  x\r\n", "bridge-fd", "0"),
              "iface a\r\n    bridge_ports  x\r\n    bridge_fd  0\r\n");
    EXPECT_EQ(after_setting("iface a\n", "mtu", "9000"), "iface a\n\tmtu 9000\n");
    EXPECT_EQ(after_setting("iface a\n\niface b\n  x 1\n", "mtu", "9"),
              "iface a\n  mtu 9\n\niface b\n  x 1\n");
    EXPECT_EQ(after_setting("iface a\n x 1", "mtu", "9"), "iface a\n x 1\n mtu 9");
    EXPECT_EQ(after_setting("iface a\n x 1\n# later\n", "mtu", "9"), "iface a\n x 1\n mtu 9\n# later\n");
}

TEST(SetOption, KeepsAwayFromBackslashes) {
    EXPECT_EQ(after_setting("iface a\n x 1\n up y \\", "mtu", "9"), "iface a\n x 1\n mtu 9\n up y \\");
    EXPECT_EQ(after_setting("iface a \\ \n", "mtu", "9"), "malformed");
    EXPECT_EQ(after_setting("iface a\n x 1\n", "up", "a\\b"), "bad_request");
}

TEST(SetOption, RefusesWhatCannotStandThere) {
    for (const char* value : {"", " 1", "1 ", "1\n2", "1\r", "\xff"})
        EXPECT_EQ(after_setting("iface a\n", "mtu", value), "bad_request") << value;
    for (const char* option : {"", "iface", "allow-x", "a b", "#a", "source"})
        EXPECT_EQ(after_setting("iface a\n", option, "1"), "bad_request") << option;
}

TEST(RemoveInterface, TakesItsNameFromSharedLines) {
    const std::string text = "auto a \\\n b c\nallow-hotplug b\n\niface a\n\niface b\n x 1\n\niface c\n";
    const auto document = Document::parse(text, "f");
    const auto change = remove_interface(*document, "b");
    ASSERT_TRUE(change) << change.error().text();
    EXPECT_EQ(*changed_text(text, *change), "auto a c\n\niface a\n\niface c\n");
}

TEST(RenameInterface, FollowsTheNameIntoPorts) {
    const std::string text = "auto eno1 br\niface eno1\niface br\n bridge_ports eno1 eno10\n up x eno1\n";
    const auto document = Document::parse(text, "f");
    const auto change = rename_interface(*document, "eno1", "nic0");
    ASSERT_TRUE(change) << change.error().text();
    EXPECT_EQ(*changed_text(text, *change),
              "auto nic0 br\niface nic0\niface br\n bridge_ports nic0 eno10\n up x eno1\n");
    EXPECT_EQ(rename_interface(*document, "eno1", "br").error().code, ErrorCode::conflict);
}

TEST(AddStanza, RefusesAFileThatEndsInABackslash) {
    for (const char* text : {"iface a\n up x \\", "iface a\n up x \\ \n\n", "# see \\\n"}) {
        const auto document = Document::parse(text, "f");
        EXPECT_EQ(add_stanza(*document, {.name = "b"}).error().code, ErrorCode::malformed) << text;
    }
}

TEST(Diff, ReadsAsDiffDoes) {
    const std::string text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12";
    EXPECT_EQ(unified_diff(text, {{8, "5\n", "five\n5b\n"}}, "a", "b"),
              "--- a\n+++ b\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+5b\n 6\n 7\n 8\n");
    EXPECT_EQ(
        unified_diff(text, {{0, "1\n", ""}, {26, "", "\n13"}}, "a", "b"),
        "--- a\n+++ b\n@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n@@ -9,4 +8,5 @@\n 9\n 10\n 11\n-12\n\\ No newline at "
        "end of file\n+12\n+13\n\\ No newline at end of file\n");
    EXPECT_EQ(unified_diff(text, {}, "a", "b"), "");
    EXPECT_EQ(unified_diff("", {{0, "", "a\n"}}, "a", "b"), "--- a\n+++ b\n@@ -0,0 +1 @@\n+a\n");
}

}  // namespace
}  // namespace pve_rdma::eni
