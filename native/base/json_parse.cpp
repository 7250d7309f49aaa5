#include "base/json_parse.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/number.h"

namespace pve_rdma {

namespace {

struct Position {
    int line, column;
};

Position position(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const auto line = std::ranges::count(before, '\n') + 1;
    const auto last_newline = before.rfind('\n');
    const auto column =
        last_newline == std::string_view::npos ? before.size() + 1 : before.size() - last_newline;
    return {static_cast<int>(line), static_cast<int>(column)};
}

Error malformed(const std::string& file, Position where, std::string message) {
    return {.code = ErrorCode::malformed,
            .message = std::move(message),
            .file = file,
            .line = where.line,
            .column = where.column,
            .hint = "the document must be one JSON object"};
}

// jsoncpp's depth limit throws and counts differently between versions, and its strict mode takes comments
// before a member's name: both are looked for before it parses.
struct Refusal {
    std::size_t offset;
    std::string message;
};

std::optional<Refusal> refused_before_parsing(std::string_view text, int limit) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            if (++depth > limit) return Refusal{i, fmt::format("nested deeper than {} levels", limit)};
        } else if (c == '/') {
            return Refusal{i, "not valid JSON: a comment"};
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return std::nullopt;
}

// jsoncpp's message is "* Line 3, Column 5\n  Syntax error: ...\n": its place and its words.
Error syntax_error(const std::string& file, const std::string& report) {
    Position where{1, 1};
    std::string message = "not valid JSON";
    int line = 0, column = 0;
    if (std::sscanf(report.c_str(), "* Line %d, Column %d", &line, &column) == 2) where = {line, column};
    if (const auto newline = report.find('\n'); newline != std::string::npos) {
        const auto end = report.find('\n', newline + 1);
        std::string_view words(report);
        words = words.substr(newline + 1, end == std::string::npos ? end : end - newline - 1);
        while (words.starts_with(' '))
            words.remove_prefix(1);
        if (!words.empty()) message = fmt::format("not valid JSON: {}", words);
    }
    return malformed(file, where, std::move(message));
}

}  // namespace

Result<Json::Value> parse_json(std::string_view text, const std::string& file, const JsonLimits& limits) {
    if (text.size() > limits.max_octets)
        return std::unexpected(malformed(
            file, {1, 1},
            fmt::format("{} octets are more than the limit of {}", text.size(), limits.max_octets)));
    if (const auto refusal = refused_before_parsing(text, limits.max_depth))
        return std::unexpected(malformed(file, position(text, refusal->offset), refusal->message));
    Json::CharReaderBuilder builder;
    Json::CharReaderBuilder::strictMode(&builder.settings_);
    builder["stackLimit"] = limits.max_depth + 8;
    const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
    Json::Value root;
    std::string problems;
    try {
        if (!reader->parse(text.data(), text.data() + text.size(), &root, &problems))
            return std::unexpected(syntax_error(file, problems));
    } catch (const Json::Exception& exception) {
        return std::unexpected(malformed(file, {1, 1}, fmt::format("not valid JSON: {}", exception.what())));
    }
    if (!root.isObject()) return std::unexpected(malformed(file, {1, 1}, "not a JSON object"));
    return root;
}

Error json_error(std::string_view text, const std::string& file, const Json::Value& at,
                 const std::string& pointer, std::string message) {
    const auto where =
        position(text, static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, at.getOffsetStart())));
    Error error = malformed(file, where, std::move(message));
    error.subject = pointer;
    error.hint.clear();
    return error;
}

}  // namespace pve_rdma
