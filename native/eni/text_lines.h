// A text in lines, each with its end; the last one may have none.
#pragma once

#include <algorithm>
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

}  // namespace pve_rdma::eni
