// Described types as JSON Schema (draft 2020-12 words): the one list of fields, seen from outside.
// Include only in the .cpp of an operation: nlohmann's types stay there.
#pragma once

#include "base/json_write.h"

namespace pve_rdma {

template <class T>
OrderedJson schema_of() {
    if constexpr (Optional<T>) {
        return schema_of<typename T::value_type>();
    } else if constexpr (Vector<T>) {
        return {{"type", "array"}, {"items", schema_of<typename T::value_type>()}};
    } else if constexpr (StringMap<T>) {
        return {{"type", "object"}, {"additionalProperties", schema_of<typename T::mapped_type>()}};
    } else if constexpr (Described<T>) {
        OrderedJson properties = OrderedJson::object(), required = OrderedJson::array();
        T value{};
        T::fields(value, [&]<class M>(const char* name, const M&) {
            properties[name] = schema_of<M>();
            if (!Optional<M>) required.push_back(name);
        });
        return {{"type", "object"}, {"properties", properties}, {"required", required}};
    } else if constexpr (std::is_same_v<T, bool>) {
        return {{"type", "boolean"}};
    } else if constexpr (std::is_integral_v<T>) {
        return {{"type", "integer"}};
    } else if constexpr (std::is_floating_point_v<T>) {
        return {{"type", "number"}};
    } else {
        return {{"type", "string"}};
    }
}

// For Operation::result_schema.
template <class T>
std::string schema_text() {
    return schema_of<T>().dump();
}

}  // namespace pve_rdma
