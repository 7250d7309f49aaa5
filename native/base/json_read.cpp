#include "base/json_read.h"

#include <algorithm>

#include <fmt/format.h>

namespace pve_rdma {

std::size_t JsonReader::enter(std::string_view key) {
    const std::size_t mark = pointer_.size();
    pointer_ += '/';
    for (char c : key) {
        if (c == '~')
            pointer_ += "~0";
        else if (c == '/')
            pointer_ += "~1";
        else
            pointer_ += c;
    }
    return mark;
}

std::size_t JsonReader::enter(Json::ArrayIndex index) {
    const std::size_t mark = pointer_.size();
    pointer_ += '/' + std::to_string(index);
    return mark;
}

bool JsonReader::expect_array(const Json::Value& value) {
    if (!value.isArray()) refuse(value, "an array is expected");
    return value.isArray();
}

bool JsonReader::expect_object(const Json::Value& value) {
    if (!value.isObject()) refuse(value, "an object is expected");
    return value.isObject();
}

void JsonReader::read_text(const Json::Value& value, std::string& out) {
    if (!value.isString()) return refuse(value, "a string is expected");
    out = value.asString();
}

void JsonReader::read_bool(const Json::Value& value, bool& out) {
    if (!value.isBool()) return refuse(value, "true or false is expected");
    out = value.asBool();
}

double JsonReader::read_number(const Json::Value& value) {
    if (value.isNumeric()) return value.asDouble();
    refuse(value, "a number is expected");
    return 0;
}

std::uint64_t JsonReader::read_unsigned(const Json::Value& value, std::uint64_t maximum) {
    if (value.isIntegral() && value.isUInt64() && value.asUInt64() <= maximum) return value.asUInt64();
    refuse(value, fmt::format("a whole number from 0 to {} is expected", maximum));
    return 0;
}

std::int64_t JsonReader::read_signed(const Json::Value& value, std::int64_t minimum, std::int64_t maximum) {
    if (value.isIntegral() && value.isInt64() && value.asInt64() >= minimum && value.asInt64() <= maximum)
        return value.asInt64();
    refuse(value, fmt::format("a whole number from {} to {} is expected", minimum, maximum));
    return 0;
}

const Json::Value* JsonReader::find(const Json::Value& object, const char* name,
                                    std::vector<std::string_view>& known) {
    known.emplace_back(name);
    return object.find(name, name + known.back().size());
}

void JsonReader::keep_unknown(const Json::Value& object, const std::vector<std::string_view>& known) {
    for (const auto& key : object.getMemberNames()) {
        if (std::ranges::find(known, key) != known.end()) continue;
        Json::StreamWriterBuilder builder;
        builder["indentation"] = "";
        const std::size_t mark = enter(key);
        unknown_.push_back({pointer_, Json::writeString(builder, object[key])});
        leave(mark);
    }
}

void JsonReader::refuse(const Json::Value& at, std::string message) {
    if (!error_) error_ = json_error(text_, file_, at, pointer_, std::move(message));
}

}  // namespace pve_rdma
