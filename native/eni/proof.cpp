#include "eni/proof.h"

namespace pve_rdma::eni {

namespace {
bool speaks(const Line& line) {
    return line.kind != LineKind::blank && line.kind != LineKind::comment;
}
}  // namespace

Statement statement(const Document& document, const Line& line) {
    const auto words = document.words(line);
    std::string text;
    if (line.kind == LineKind::option) {  // white space inside a value is part of it
        text = words[0].in(document.text());
        if (words.size() > 1) text += " " + document.joined(line, words[1], words.back());
    } else {
        for (const auto& word : words) {
            if (!text.empty()) text += ' ';
            text += word.in(document.text());
        }
    }
    return {line.kind, std::move(text)};
}

std::vector<Statement> statements(const Document& document) {
    std::vector<Statement> all;
    for (const auto& line : document.lines())
        if (speaks(line)) all.push_back(statement(document, line));
    return all;
}

Result<Change> proved(const Document& document, Change change, const Expectation& expectation) {
    auto text = changed_text(document.text(), change);
    if (!text) return std::unexpected(text.error());
    const auto after = Document::parse(std::move(*text), document.name());
    if (!after) return std::unexpected(after.error());

    std::vector<Statement> expected;
    for (std::uint32_t index = 0; index < document.lines().size(); ++index) {
        const Line& line = document.lines()[index];
        const auto changed = expectation.instead.find(index);
        if (changed != expectation.instead.end())
            expected.insert(expected.end(), changed->second.begin(), changed->second.end());
        else if (speaks(line))
            expected.push_back(statement(document, line));
    }
    expected.insert(expected.end(), expectation.at_end.begin(), expectation.at_end.end());
    if (statements(*after) == expected) return change;

    const Line* line = change.empty() ? nullptr : &document.lines().front();
    for (const auto& one : document.lines())
        if (line && one.begin <= change.front().at) line = &one;
    return std::unexpected(
        Error{.code = ErrorCode::malformed,
              .message = "this cannot be changed without changing what other lines mean",
              .file = document.name(),
              .line = line ? static_cast<int>(line->number) : 0,
              .column = line ? 1 : 0,
              .hint = "look for a backslash at the end of a line nearby: pve-rdma config check"});
}

}  // namespace pve_rdma::eni
