#include "mad/render_text.h"

#include "base/text.h"

namespace pve_rdma {

std::string wrapped(std::string_view label, std::string_view text) {
    const std::size_t indent = std::min(columns_of(label), text_columns / 2);
    const auto lines = lines_of(text, text_columns - indent);
    std::string out(label);
    out += fmt::format("{}", fmt::join(lines, "\n" + std::string(indent, ' ')));
    // A label without a text leaves no blanks behind.
    out.erase(out.find_last_not_of(' ') + 1);
    return out + '\n';
}

}  // namespace pve_rdma
