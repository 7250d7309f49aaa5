// An edit proves itself: the changed text is read again and must say what was asked, and nothing else anew.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "eni/change.h"
#include "eni/document.h"

namespace pve_rdma::eni {

// One statement as it is understood, without the spaces between its words: {LineKind::option, "mtu 9000"}.
using Statement = std::pair<LineKind, std::string>;

Statement statement(const Document&, const Line&);
// All of a document, in order; no comments and blank lines.
std::vector<Statement> statements(const Document&);

// What a change is to do to the statements: by index of a line, what stands in its place afterwards.
struct Expectation {
    std::map<std::uint32_t, std::vector<Statement>> instead;
    std::vector<Statement> at_end;
};

// The change, when it does just that; else ErrorCode::malformed: the surroundings (a backslash, say) give the
// octets another meaning.
Result<Change> proved(const Document&, Change, const Expectation&);

}  // namespace pve_rdma::eni
