#include "ofed/bundle/control.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/trimmed.h"

namespace pve_rdma::ofed {

namespace {

constexpr std::string_view blank = " \t\r";

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_name(std::string_view name) {
    return !name.empty() && name.front() != '-' &&
           std::ranges::all_of(name, [](char c) { return c > ' ' && c < 0x7f && c != ':'; });
}

}  // namespace

std::string_view Stanza::get(std::string_view name) const {
    for (const auto& field : fields)
        if (std::ranges::equal(field.name, name, {}, lower, lower)) return field.value;
    return {};
}

std::string_view ControlReader::take_line() {
    const auto end = rest_.find('\n');
    const auto line = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    ++line_;
    return line;
}

Error ControlReader::malformed(std::string message) const {
    return {.code = ErrorCode::malformed,
            .subject = file_,
            .message = std::move(message),
            .file = file_,
            .line = line_};
}

Result<std::optional<Stanza>> ControlReader::next() {
    Stanza stanza;
    const char* begin = nullptr;
    while (!rest_.empty()) {
        const auto line = take_line();
        if (line.find('\0') != std::string_view::npos) return std::unexpected(malformed("holds a NUL octet"));
        if (line.find_first_not_of(blank) == std::string_view::npos) {
            if (stanza.fields.empty()) continue;
            return stanza;
        }
        if (line.front() == '#') continue;
        if (!begin) begin = line.data();
        if (static_cast<std::size_t>(line.data() + line.size() - begin) > limits_.max_stanza)
            return std::unexpected(
                malformed(fmt::format("a stanza is larger than the limit of {} octets", limits_.max_stanza)));
        if (line.front() == ' ' || line.front() == '\t') {
            if (stanza.fields.empty())
                return std::unexpected(malformed("a continuation line without a field before it"));
            auto& value = stanza.fields.back().value;
            const char* from = value.empty() ? line.data() : value.data();
            value = trimmed({from, static_cast<std::size_t>(line.data() + line.size() - from)});
            continue;
        }
        const auto colon = line.find(':');
        if (colon == std::string_view::npos || !is_name(line.substr(0, colon)))
            return std::unexpected(malformed("neither a field nor the continuation of one"));
        if (stanza.fields.size() == limits_.max_fields)
            return std::unexpected(
                malformed(fmt::format("a stanza with more than {} fields", limits_.max_fields)));
        if (stanza.fields.empty()) stanza.line = line_;
        stanza.fields.push_back({line.substr(0, colon), trimmed(line.substr(colon + 1))});
    }
    if (stanza.fields.empty()) return std::nullopt;
    return stanza;
}

}  // namespace pve_rdma::ofed
