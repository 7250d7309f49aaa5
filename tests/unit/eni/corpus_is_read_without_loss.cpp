// Every file of the corpus: what is printed is what was read, and the view is the one that views.txt states.
#include <cstdlib>

#include <gtest/gtest.h>

#include "corpus.h"
#include "eni/view.h"

namespace pve_rdma::eni {
namespace {

std::string visible(std::string_view text) {
    std::string result;
    for (const char c : text)
        if (c == ' ' || (c > 0x20 && c < 0x7f))
            result += c;
        else
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    return result;
}

std::string words(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names)
        text += " " + visible(name);
    return text;
}

std::string mention(const Mention& one) {
    switch (one.kind) {
        case LineKind::automatic:
            return "auto" + words(one.names);
        case LineKind::allow:
            return "allow-" + one.allow + words(one.names);
        case LineKind::no_auto_down:
            return "no-auto-down" + words(one.names);
        case LineKind::no_scripts:
            return "no-scripts" + words(one.names);
        default:
            return "rename" + words(one.names);
    }
}

std::string stanza(const Stanza& one) {
    std::string text = one.kind == LineKind::iface             ? "iface"
                       : one.kind == LineKind::mapping         ? "mapping"
                       : one.kind == LineKind::template_stanza ? "template"
                                                               : "vlan";
    text += fmt::format(" {}", visible(one.name));
    if (!one.family.empty()) text += fmt::format(" family={}", visible(one.family));
    if (!one.method.empty()) text += fmt::format(" method={}", visible(one.method));
    if (!one.inherits.empty()) text += fmt::format(" inherits={}", words(one.inherits).substr(1));
    if (!one.further.empty()) text += fmt::format(" further={}", words(one.further).substr(1));
    for (const auto& option : one.options)
        text += fmt::format("\n  {}={}", visible(option.name), visible(option.value));
    return text;
}

// One entry for each thing the view holds, as "LINE: what".
std::string dump(const View& view) {
    std::vector<std::pair<int, std::string>> entries;
    for (const auto& one : view.mentions)
        entries.emplace_back(one.place.number, mention(one));
    for (const auto& one : view.stanzas)
        entries.emplace_back(one.place.number, stanza(one));
    for (const auto& one : view.sources)
        entries.emplace_back(one.place.number,
                             (one.directory ? "source-directory " : "source ") + visible(one.pattern));
    for (const auto& one : view.strays)
        entries.emplace_back(one.place.number, "stray " + visible(one.text));
    std::ranges::sort(entries);
    std::string text;
    for (const auto& [line, entry] : entries)
        text += fmt::format("{}: {}\n", line, entry);
    return text;
}

TEST(Corpus, OfOurOwnHasAtLeastSixtyFiles) {
    EXPECT_GE(own_corpus().size(), 60u);
}

TEST(Corpus, IsPrintedOctetForOctet) {
    const auto files = whole_corpus();
    for (const auto& file : files) {
        const auto view = view_of(file.text, file.name);
        ASSERT_TRUE(view) << file.name << ": " << view.error().text();
        const Document& document = view->files[0];
        EXPECT_EQ(document.text(), file.text) << file.name;
        std::string lines, tokens;
        for (const auto& line : document.lines()) {
            lines += document.text_of(line);
            for (const auto& token : document.tokens(line))
                tokens += token.in(document.text());
        }
        EXPECT_EQ(lines, file.text) << file.name;
        EXPECT_EQ(tokens, file.text) << file.name;
    }
    RecordProperty("files", static_cast<int>(files.size()));
    std::printf("%zu files printed octet for octet, %zu of them shared\n", files.size(),
                shared_corpus().size());
}

// views.txt is written by hand and by eye: with PVE_RDMA_WRITE_VIEWS set to a path the test writes what it
// saw, for a new file's section to be checked and taken over.
TEST(Corpus, IsSeenAsTheTableSays) {
    std::string seen;
    for (const auto& file : own_corpus())
        seen += fmt::format("== {}\n{}", file.name, dump(*view_of(file.text, file.name)));
    if (const char* path = std::getenv("PVE_RDMA_WRITE_VIEWS")) std::ofstream(path) << seen;
    const std::string table = read_octets(source_folder / "tests/corpus/interfaces/views.txt");
    EXPECT_EQ(table, seen);
}

}  // namespace
}  // namespace pve_rdma::eni
