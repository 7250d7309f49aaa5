// interfaces(5): the reader loses nothing, findings stay within the file, and an edit that is made does what
// it says and can be undone. The first octets pick the edit.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "eni/check.h"
#include "eni/edit.h"
#include "eni/glob.h"
#include "eni/proof.h"

namespace {

using namespace pve_rdma;
using namespace pve_rdma::eni;

void must(bool holds) {
    if (!holds) std::abort();
}

void check_tiles(const Document& document) {
    std::size_t at = 0;
    for (const auto& line : document.lines()) {
        must(line.begin == at && line.end > line.begin);
        std::size_t token_at = at;
        for (const auto& token : document.tokens(line)) {
            must(token.begin == token_at && token.end > token.begin);
            token_at = token.end;
        }
        must(token_at == line.end);
        at = line.end;
    }
    must(at == document.text().size());
}

void check_findings(const View& view) {
    const auto lines = static_cast<int>(std::ranges::count(view.files[0].text(), '\n')) + 1;
    for (const auto& one : check(view)) {
        must(one.line >= 0 && one.line <= lines && one.column >= 0 && one.width > 0);
        must(!render(one, view.files[0].text()).empty());
    }
}

Result<Change> edit(const Document& document, std::uint8_t which, std::uint8_t where, const std::string& word,
                    const std::string& value) {
    const auto count = document.stanzas().size();
    const auto stanza = static_cast<std::uint32_t>(count ? where % count : 0);
    switch (which % 8) {
        case 0:
            return set_option(document, stanza, word, value);
        case 1:
            return add_option(document, stanza, word, value);
        case 2:
            return remove_option(document, stanza, word);
        case 3:
            return add_stanza(document, {.name = word, .options = {{"mtu", value}}});
        case 4:
            return remove_stanza(document, stanza);
        case 5:
            return remove_interface(document, word);
        case 6:
            return rename_interface(document, word, value);
        default:
            return add_source(document, value);
    }
}

// Up to the next octet 0; what is behind it stays in `text`.
std::string take(std::string_view& text) {
    const auto end = std::min(text.find('\0'), text.size());
    const std::string word(text.substr(0, std::min<std::size_t>(end, 40)));
    text.remove_prefix(std::min(end + 1, text.size()));
    return word;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
    const std::string word = take(text), value = take(text);
    const auto view = view_of(std::string(text), "fuzz");
    if (!view) return 0;
    const Document& document = view->files[0];
    must(document.text() == text);
    check_tiles(document);
    check_findings(*view);
    glob_match(word, value);

    const auto change = edit(document, data[0], data[1], word, value);
    if (!change) {
        must(change.error().code != ErrorCode::internal);
        return 0;
    }
    const auto after = changed_text(text, *change);
    must(after.has_value());
    must(changed_text(*after, inverse(*change)) == text);
    must(unified_diff(text, *change, "a", "b").empty() == (*after == text));
    const auto read = Document::parse(*after, "fuzz");
    must(read.has_value());
    check_tiles(*read);
    // What set_option set stands there, and setting it again changes nothing.
    if (data[0] % 8 == 0) {
        const auto again = edit(*read, data[0], data[1], word, value);
        must(again.has_value() && again->empty());
    }
    return 0;
}
