// Parsed JSON to described values: the counterpart of base/json_write.h. Include only where a document is
// read.
#pragma once

#include <algorithm>
#include <limits>

#include "base/describe.h"
#include "base/json_parse.h"
#include "base/unknown_key.h"

namespace pve_rdma {

class JsonReader {
  public:
    JsonReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    // Fills `out`; keys that are absent leave it as it is. On a value of the wrong type or range: the error,
    // located.
    template <class T>
    Result<void> read(const Json::Value& value, T& out) {
        read_value(value, out, "");
        if (error_) return std::unexpected(*error_);
        return {};
    }
    std::vector<UnknownKey> take_unknown() { return std::move(unknown_); }

  private:
    template <class T>
    void read_value(const Json::Value& value, T& out, const std::string& pointer) {
        if (error_) return;
        if constexpr (Optional<T>) {
            if (value.isNull()) {
                out.reset();
                return;
            }
            read_value(value, out.emplace(), pointer);
        } else if constexpr (Vector<T>) {
            if (!value.isArray()) return refuse(value, pointer, "an array is expected");
            out.clear();
            out.reserve(value.size());
            for (Json::ArrayIndex i = 0; i < value.size(); ++i) {
                typename T::value_type item{};
                read_value(value[i], item, pointer + "/" + std::to_string(i));
                out.push_back(std::move(item));
            }
        } else if constexpr (StringMap<T>) {
            if (!value.isObject()) return refuse(value, pointer, "an object is expected");
            out.clear();
            for (const auto& key : value.getMemberNames())
                read_value(value[key], out[key], pointer + "/" + escaped(key));
        } else if constexpr (Described<T>) {
            if (!value.isObject()) return refuse(value, pointer, "an object is expected");
            read_fields(value, out, pointer);
        } else if constexpr (Textual<T>) {
            if (!value.isString()) return refuse(value, pointer, "a string is expected");
            if (auto parsed = T::parse(value.asString()))
                out = *parsed;
            else
                refuse(value, pointer, parsed.error().message);
        } else if constexpr (std::is_same_v<T, bool>) {
            if (!value.isBool()) return refuse(value, pointer, "true or false is expected");
            out = value.asBool();
        } else if constexpr (std::is_integral_v<T>) {
            read_integer(value, out, pointer);
        } else if constexpr (std::is_floating_point_v<T>) {
            if (!value.isNumeric()) return refuse(value, pointer, "a number is expected");
            out = value.asDouble();
        } else {
            static_assert(std::is_same_v<T, std::string>,
                          "a described member of a type that JSON cannot hold");
            if (!value.isString()) return refuse(value, pointer, "a string is expected");
            out = value.asString();
        }
    }

    template <class T>
    void read_fields(const Json::Value& value, T& out, const std::string& pointer) {
        std::vector<std::string> known;
        T::fields(out, [&](const char* name, auto& member) {
            known.emplace_back(name);
            if (const Json::Value* found = value.find(name, name + std::char_traits<char>::length(name)))
                read_value(*found, member, pointer + "/" + name);
        });
        for (const auto& key : value.getMemberNames())
            if (std::ranges::find(known, key) == known.end()) keep(pointer + "/" + escaped(key), value[key]);
    }

    template <class T>
    void read_integer(const Json::Value& value, T& out, const std::string& pointer) {
        if (!value.isIntegral()) return refuse(value, pointer, "a whole number is expected");
        const auto range = std::to_string(std::numeric_limits<T>::min()) + " to " +
                           std::to_string(std::numeric_limits<T>::max()) + " is expected";
        if constexpr (std::is_unsigned_v<T>) {
            if (!value.isUInt64() || value.asUInt64() > std::numeric_limits<T>::max())
                return refuse(value, pointer, range);
            out = static_cast<T>(value.asUInt64());
        } else {
            if (!value.isInt64() || value.asInt64() < std::numeric_limits<T>::min() ||
                value.asInt64() > std::numeric_limits<T>::max())
                return refuse(value, pointer, range);
            out = static_cast<T>(value.asInt64());
        }
    }

    static std::string escaped(const std::string& key);
    void refuse(const Json::Value& at, const std::string& pointer, std::string message);
    void keep(std::string pointer, const Json::Value& value);

    std::string_view text_;
    std::string file_;
    std::optional<Error> error_;
    std::vector<UnknownKey> unknown_;
};

}  // namespace pve_rdma
