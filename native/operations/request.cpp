#include "operations/request.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json_parse.h"
#include "base/number.h"

namespace pve_rdma {

namespace {

// The reports of a cluster come in one request; what remote callers may send, their face limits further.
constexpr JsonLimits request_limits{.max_octets = 64u << 20, .max_depth = 16};

Error bad(std::string subject, std::string message, std::string hint = {}) {
    return {.code = ErrorCode::bad_request,
            .subject = std::move(subject),
            .message = std::move(message),
            .hint = std::move(hint)};
}

std::optional<bool> truth(std::string_view word) {
    for (std::string_view yes : {"1", "true", "yes", "on", "True", "Yes"})
        if (word == yes) return true;
    for (std::string_view no : {"0", "false", "no", "off", "False", "No"})
        if (word == no) return false;
    return std::nullopt;
}

const Parameter* find_parameter(const Operation& operation, std::string_view name) {
    const auto found = std::ranges::find(operation.parameters, name, &Parameter::name);
    return found == operation.parameters.end() ? nullptr : &*found;
}

std::string offered(const Operation& operation, Face face) {
    std::vector<std::string_view> names;
    for (const auto& parameter : operation.parameters)
        if (parameter.offered_to(face)) names.push_back(parameter.name);
    if (names.empty()) return fmt::format("{} takes no parameters", operation.name);
    return fmt::format("{} takes: {}", operation.name, fmt::join(names, ", "));
}

}  // namespace

Result<void> Request::set(const Parameter& parameter, Value value) {
    const std::string name(parameter.name);
    const auto choices = [&](const std::string& word) -> Result<void> {
        if (parameter.choices.empty() ||
            std::ranges::find(parameter.choices, word) != parameter.choices.end())
            return {};
        return std::unexpected(bad(name, fmt::format("\"{}\" is not one of its values", word),
                                   fmt::format("one of: {}", fmt::join(parameter.choices, ", "))));
    };
    const auto* word = std::get_if<std::string>(&value);
    switch (parameter.type) {
        case ParameterType::text:
            if (!word) return std::unexpected(bad(name, "a string is expected"));
            if (word->find('\0') != std::string::npos)
                return std::unexpected(bad(name, "holds a NUL character"));
            if (auto allowed = choices(*word); !allowed) return allowed;
            break;
        case ParameterType::integer: {
            if (word) {
                const auto number = parse_number<std::int64_t>(*word);
                if (!number)
                    return std::unexpected(bad(name, fmt::format("\"{}\" is not a whole number", *word)));
                value = *number;
            }
            const auto* number = std::get_if<std::int64_t>(&value);
            if (!number) return std::unexpected(bad(name, "a whole number is expected"));
            if ((parameter.minimum && *number < *parameter.minimum) ||
                (parameter.maximum && *number > *parameter.maximum))
                return std::unexpected(bad(name, fmt::format("{} is outside {} to {}", *number,
                                                             parameter.minimum.value_or(INT64_MIN),
                                                             parameter.maximum.value_or(INT64_MAX))));
            break;
        }
        case ParameterType::flag: {
            if (const auto* number = std::get_if<std::int64_t>(&value);
                number && (*number == 0 || *number == 1))
                value = *number == 1;
            if (word) {
                const auto parsed = truth(*word);
                if (!parsed)
                    return std::unexpected(bad(name, fmt::format("\"{}\" is not true or false", *word)));
                value = *parsed;
            }
            if (!std::holds_alternative<bool>(value))
                return std::unexpected(bad(name, "true or false is expected"));
            break;
        }
        case ParameterType::list:
            if (word) value = std::vector<std::string>{*word};
            if (!std::holds_alternative<std::vector<std::string>>(value))
                return std::unexpected(bad(name, "a list of strings is expected"));
            for (const auto& item : std::get<std::vector<std::string>>(value))
                if (auto allowed = choices(item); !allowed) return allowed;
            break;
    }
    values_.insert_or_assign(name, std::move(value));
    return {};
}

Result<void> Request::complete(const Operation& operation) const {
    for (const auto& parameter : operation.parameters)
        if (parameter.required && !values_.contains(parameter.name))
            return std::unexpected(
                bad(std::string(parameter.name), "is required", std::string(parameter.description)));
    return {};
}

Result<Request> Request::from_json(const Operation& operation, Face face, std::string_view text) {
    Request request;
    if (text.empty()) text = "{}";
    const auto root = parse_json(text, "request", request_limits);
    if (!root) {
        Error error = root.error();
        error.code = ErrorCode::bad_request;
        return std::unexpected(error);
    }
    for (const auto& key : root->getMemberNames()) {
        if (face == Face::ansible && key.starts_with("_ansible_"))
            continue;  // Ansible's own, and more in later cores
        const Json::Value& given = (*root)[key];
        const Parameter* parameter = find_parameter(operation, key);
        const auto refuse = [&](std::string message, std::string hint) {
            Error error = json_error(text, "request", given, "/" + key, std::move(message));
            error.code = ErrorCode::bad_request;
            error.hint = std::move(hint);
            return std::unexpected(error);
        };
        if (!parameter || !parameter->offered_to(face))
            return refuse("unknown parameter", offered(operation, face));
        if (given.isNull()) continue;  // "not given"
        Value value;
        if (given.isString()) {
            value = given.asString();
        } else if (given.isBool()) {
            value = given.asBool();
        } else if (given.type() != Json::realValue && given.isInt64()) {
            value = static_cast<std::int64_t>(given.asInt64());
        } else if (given.isArray()) {
            std::vector<std::string> items;
            for (const auto& item : given) {
                if (!item.isString()) return refuse("a list of strings is expected", "");
                items.push_back(item.asString());
            }
            value = std::move(items);
        } else {
            return refuse("a value of this kind is not taken here", std::string(parameter->description));
        }
        if (auto set = request.set(*parameter, std::move(value)); !set)
            return refuse(set.error().message, set.error().hint);
    }
    if (auto complete = request.complete(operation); !complete) return std::unexpected(complete.error());
    return request;
}

Result<Request> Request::from_words(const Operation& operation,
                                    const std::map<std::string, std::vector<std::string>>& words) {
    Request request;
    for (const auto& [name, given] : words) {
        const Parameter* parameter = find_parameter(operation, name);
        if (!parameter) return std::unexpected(bad(name, "unknown parameter", offered(operation, Face::cli)));
        Value value = given;
        if (parameter->type != ParameterType::list)
            value = given.empty() ? std::string("true") : given.back();
        if (auto set = request.set(*parameter, std::move(value)); !set) return std::unexpected(set.error());
    }
    if (auto complete = request.complete(operation); !complete) return std::unexpected(complete.error());
    return request;
}

std::optional<std::string> Request::text(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? std::nullopt : std::optional(std::get<std::string>(found->second));
}

std::optional<std::int64_t> Request::integer(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? std::nullopt : std::optional(std::get<std::int64_t>(found->second));
}

bool Request::flag(std::string_view name) const {
    const auto found = values_.find(name);
    return found != values_.end() && std::get<bool>(found->second);
}

std::vector<std::string> Request::list(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? std::vector<std::string>{}
                                  : std::get<std::vector<std::string>>(found->second);
}

}  // namespace pve_rdma
