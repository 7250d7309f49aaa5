// Described values to JSON. Include only in the .cpp that writes a document: nlohmann's types stay there.
#pragma once

#include <nlohmann/json.hpp>

#include "base/describe.h"
#include "base/raw_json.h"

namespace pve_rdma {

using OrderedJson = nlohmann::ordered_json;

template <class T>
OrderedJson to_json_value(const T& value) {
    if constexpr (Optional<T>) {
        return value ? to_json_value(*value) : OrderedJson(nullptr);
    } else if constexpr (Vector<T>) {
        OrderedJson array = OrderedJson::array();
        auto& items = array.template get_ref<OrderedJson::array_t&>();
        items.reserve(value.size());
        for (const auto& item : value)
            items.push_back(to_json_value(static_cast<const typename T::value_type&>(item)));
        return array;
    } else if constexpr (StringMap<T>) {
        OrderedJson object = OrderedJson::object();
        // Keys are unique already; the base class's emplace_back skips ordered_map's linear search.
        auto& members = object.template get_ref<OrderedJson::object_t&>();
        for (const auto& [key, item] : value)
            static_cast<OrderedJson::object_t::Container&>(members).emplace_back(key, to_json_value(item));
        return object;
    } else if constexpr (Described<const T>) {
        OrderedJson object = OrderedJson::object();
        auto& members =
            static_cast<OrderedJson::object_t::Container&>(object.template get_ref<OrderedJson::object_t&>());
        T::fields(value, [&members]<class M>(const char* name, const M& member) {
            if constexpr (Optional<M>) {
                if (member) members.emplace_back(name, to_json_value(*member));
            } else {
                members.emplace_back(name, to_json_value(member));
            }
        });
        return object;
    } else if constexpr (std::is_same_v<T, RawJson>) {
        return OrderedJson::parse(value.json);
    } else if constexpr (Textual<T>) {
        return OrderedJson(value.text());
    } else {
        return OrderedJson(value);
    }
}

// Bytes that are not UTF-8 (EEPROM text, sysfs) become U+FFFD: a document is always valid JSON.
inline std::string json_text(const OrderedJson& document, int indent) {
    return document.dump(indent, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace pve_rdma
