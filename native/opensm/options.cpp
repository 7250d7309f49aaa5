#include "opensm/options.h"

#include <functional>
#include <vector>

#include "base/trimmed.h"
#include "eni/text_lines.h"

namespace pve_rdma::opensm {

namespace {

using Value = std::optional<std::string>;
// The value that a line gives, if it is one of those that are looked for.
using Match = std::function<Value(std::string_view line)>;

Value last_value(std::string_view text, const Match& match) {
    Value found;
    for (const auto line : eni::text_lines(text))
        if (auto value = match(line)) found = std::move(value);
    return found;
}

Match option_of(std::string_view key) {
    return [key](std::string_view line) -> Value {
        line = trimmed(line);
        if (!line.starts_with(key)) return {};
        const auto rest = line.substr(key.size());
        if (!rest.empty() && rest[0] != ' ' && rest[0] != '\t') return {};
        return std::string(trimmed(rest));
    };
}

std::function<bool(std::string_view)> is_of(Match match) {
    return [match = std::move(match)](std::string_view line) { return match(line).has_value(); };
}

Value ports_of(std::string_view line) {
    line = trimmed(line);
    constexpr std::string_view name = "PORTS=";
    if (!line.starts_with(name)) return {};
    line = line.substr(name.size());
    for (const char quote : {'"', '\''})
        if (line.size() > 1 && line[0] == quote && line.ends_with(quote))
            return std::string(line.substr(1, line.size() - 2));
    return std::string(line);
}

}  // namespace

Value option(std::string_view conf, std::string_view key) {
    return last_value(conf, option_of(key));
}

std::string with_option(std::string_view conf, std::string_view key, const std::string& value) {
    if (option(conf, key) == value) return std::string(conf);
    return eni::with_line(conf, is_of(option_of(key)), std::string(key) + ' ' + value);
}

Value ports(std::string_view defaults) {
    return last_value(defaults, ports_of);
}

std::string with_ports(std::string_view defaults, const std::string& value) {
    if (ports(defaults) == value) return std::string(defaults);
    const bool one_word = value.find(' ') == value.npos;
    return eni::with_line(defaults, is_of(ports_of), one_word ? "PORTS=" + value : "PORTS=\"" + value + '"');
}

}  // namespace pve_rdma::opensm
