// Described values to JSON. Include only in the .cpp that writes a document: nlohmann's types stay there.
//
// What is a template here is instantiated for every field of every fact, so it does next to nothing itself: a
// line more costs seconds of every build.
#pragma once

#include <nlohmann/json.hpp>

#include "base/describe.h"
#include "base/raw_json.h"

namespace pve_rdma {

using OrderedJson = nlohmann::ordered_json;

namespace detail {
// `name` must not be in the object yet: nothing is looked up.
void add_member(OrderedJson& object, std::string_view name, OrderedJson&& value);
void add_item(OrderedJson& array, OrderedJson&& item);
OrderedJson text_value(std::string text);
OrderedJson raw_value(const RawJson& raw);
}  // namespace detail

template <class T>
OrderedJson to_json_value(const T& value);

// One visitor for all structs: with a lambda in each, every field type would be compiled again for every
// struct.
struct MemberWriter {
    OrderedJson& object;
    template <class M>
    void operator()(const char* name, const M& member) const {
        if constexpr (Optional<M>) {
            if (!member) return;
        }
        detail::add_member(object, name, to_json_value(member));
    }
};

template <class T>
OrderedJson to_json_value(const T& value) {
    if constexpr (Optional<T>) {
        return value ? to_json_value(*value) : OrderedJson(nullptr);
    } else if constexpr (Vector<T>) {
        OrderedJson array = OrderedJson::array();
        for (const auto& item : value)
            detail::add_item(array, to_json_value<typename T::value_type>(item));
        return array;
    } else if constexpr (StringMap<T>) {
        OrderedJson object = OrderedJson::object();
        for (const auto& [key, item] : value)
            detail::add_member(object, key, to_json_value(item));
        return object;
    } else if constexpr (Described<const T>) {
        OrderedJson object = OrderedJson::object();
        T::fields(value, MemberWriter{object});
        return object;
    } else if constexpr (std::is_same_v<T, RawJson>) {
        return detail::raw_value(value);
    } else if constexpr (Textual<T>) {
        return detail::text_value(value.text());
    } else {
        return OrderedJson(value);
    }
}

// Bytes that are not UTF-8 (EEPROM text, sysfs) become U+FFFD: a document is always valid JSON.
std::string json_text(const OrderedJson& document, int indent);

}  // namespace pve_rdma
