// Parsed JSON to described values: the counterpart of base/json_visit.h. Include only where a document is
// read.
//
// What is a template here is instantiated for every field of every fact, so it does next to nothing itself.
#pragma once

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
        read_value(value, out);
        if (error_) return std::unexpected(*error_);
        return {};
    }
    std::vector<UnknownKey> take_unknown() { return std::move(unknown_); }

  private:
    // One visitor for all structs, as MemberWriter.
    struct MemberReader {
        JsonReader& reader;
        const Json::Value& object;
        std::vector<std::string_view>& known;
        template <class M>
        void operator()(const char* name, M& member) const {
            const Json::Value* found = find(object, name, known);
            if (!found) return;
            const std::size_t mark = reader.enter(std::string_view(name));
            reader.read_value(*found, member);
            reader.leave(mark);
        }
    };

    template <class T>
    void read_value(const Json::Value& value, T& out) {
        if (error_) return;
        if constexpr (Optional<T>) {
            if (value.isNull())
                out.reset();
            else
                read_value(value, out.emplace());
        } else if constexpr (Vector<T>) {
            if (!expect_array(value)) return;
            out.clear();
            for (Json::ArrayIndex i = 0; i < value.size(); ++i) {
                typename T::value_type item{};
                const std::size_t mark = enter(i);
                read_value(value[i], item);
                leave(mark);
                out.push_back(std::move(item));
            }
        } else if constexpr (StringMap<T>) {
            if (!expect_object(value)) return;
            out.clear();
            for (const auto& key : value.getMemberNames()) {
                const std::size_t mark = enter(key);
                read_value(value[key], out[key]);
                leave(mark);
            }
        } else if constexpr (Described<T>) {
            if (!expect_object(value)) return;
            std::vector<std::string_view> known;
            T::fields(out, MemberReader{*this, value, known});
            keep_unknown(value, known);
        } else if constexpr (Textual<T>) {
            std::string text;
            read_text(value, text);
            if (error_) return;
            auto parsed = T::parse(text);
            if (parsed)
                out = *parsed;
            else
                refuse(value, parsed.error().message);
        } else if constexpr (std::is_same_v<T, bool>) {
            read_bool(value, out);
        } else if constexpr (std::is_integral_v<T>) {
            if constexpr (std::is_unsigned_v<T>)
                out = static_cast<T>(read_unsigned(value, std::numeric_limits<T>::max()));
            else
                out = static_cast<T>(
                    read_signed(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
        } else if constexpr (std::is_floating_point_v<T>) {
            out = read_number(value);
        } else {
            static_assert(std::is_same_v<T, std::string>,
                          "a described member of a type that JSON cannot hold");
            read_text(value, out);
        }
    }

    // The JSON pointer of the value being read grows and shrinks with the descent.
    std::size_t enter(std::string_view key);
    std::size_t enter(Json::ArrayIndex index);
    void leave(std::size_t mark) { pointer_.resize(mark); }

    bool expect_array(const Json::Value&);
    bool expect_object(const Json::Value&);
    void read_text(const Json::Value&, std::string& out);
    void read_bool(const Json::Value&, bool& out);
    double read_number(const Json::Value&);
    std::uint64_t read_unsigned(const Json::Value&, std::uint64_t maximum);
    std::int64_t read_signed(const Json::Value&, std::int64_t minimum, std::int64_t maximum);
    static const Json::Value* find(const Json::Value& object, const char* name,
                                   std::vector<std::string_view>& known);
    void keep_unknown(const Json::Value& object, const std::vector<std::string_view>& known);
    void refuse(const Json::Value& at, std::string message);

    std::string_view text_;
    std::string file_;
    std::string pointer_;
    std::optional<Error> error_;
    std::vector<UnknownKey> unknown_;
};

}  // namespace pve_rdma
