// A text in lines, each with its end; the last one may have none.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pve_rdma::eni {

inline std::vector<std::string_view> text_lines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto length = std::min(text.find('\n'), text.size() - 1) + 1;
        lines.push_back(text.substr(0, length));
        text.remove_prefix(length);
    }
    return lines;
}

// The last line of which `is_it` is true becomes `line`, which has no end of its own; without one it is
// added. So a file in which the last of several lines counts says what `line` says.
std::string with_line(std::string_view text, const std::function<bool(std::string_view)>& is_it,
                      std::string_view line);

}  // namespace pve_rdma::eni
