#include "eni/text_lines.h"

namespace pve_rdma::eni {

std::string with_line(std::string_view text, const std::function<bool(std::string_view)>& is_it,
                      std::string_view line) {
    const auto lines = text_lines(text);
    std::size_t last = lines.size();
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (is_it(lines[i])) last = i;
    std::string changed;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i != last) {
            changed += lines[i];
            continue;
        }
        changed += line;
        if (lines[i].ends_with("\r\n")) changed += '\r';
        if (lines[i].ends_with('\n')) changed += '\n';
    }
    if (last < lines.size()) return changed;
    if (!changed.empty() && !changed.ends_with('\n')) changed += '\n';
    changed += line;
    return changed + '\n';
}

}  // namespace pve_rdma::eni
