#include "eni/change.h"

#include <fmt/format.h>

namespace pve_rdma::eni {

Result<std::string> changed_text(std::string_view text, const Change& change) {
    std::string result;
    std::size_t at = 0;
    for (const auto& splice : change) {
        if (splice.at < at || splice.at > text.size() ||
            text.substr(splice.at, splice.removed.size()) != splice.removed)
            return std::unexpected(
                Error{.code = ErrorCode::conflict, .message = "the text is not the one that was to change"});
        result += text.substr(at, splice.at - at);
        result += splice.inserted;
        at = splice.at + splice.removed.size();
    }
    result += text.substr(at);
    return result;
}

Change inverse(const Change& change) {
    Change result;
    std::size_t grown = 0, shrunk = 0;
    for (const auto& splice : change) {
        result.push_back({splice.at + grown - shrunk, splice.inserted, splice.removed});
        grown += splice.inserted.size();
        shrunk += splice.removed.size();
    }
    return result;
}

}  // namespace pve_rdma::eni
