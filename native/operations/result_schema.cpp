// Described types as JSON Schema (draft 2020-12 words): the one list of fields, seen from outside.
#include "operations/result_schema.h"

#include "base/json_write.h"
#include "facts/report.h"
#include "mad/fabric.h"

namespace pve_rdma {

namespace {

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

}  // namespace

std::string report_schema() {
    return schema_of<NodeReport>().dump();
}
std::string fabric_sm_schema() {
    return schema_of<FabricSm>().dump();
}
std::string fabric_port_schema() {
    return schema_of<FabricPort>().dump();
}
std::string fabric_walk_schema() {
    return schema_of<FabricWalk>().dump();
}
std::string fabric_path_schema() {
    return schema_of<FabricPath>().dump();
}

}  // namespace pve_rdma
