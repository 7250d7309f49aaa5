#include "base/json_write.h"

namespace pve_rdma {

namespace detail {

void add_member(OrderedJson& object, std::string_view name, OrderedJson&& value) {
    // The vector below ordered_map: its emplace_back skips the map's linear search.
    auto& members = static_cast<OrderedJson::object_t::Container&>(object.get_ref<OrderedJson::object_t&>());
    members.emplace_back(std::string(name), std::move(value));
}

void add_item(OrderedJson& array, OrderedJson&& item) {
    array.get_ref<OrderedJson::array_t&>().push_back(std::move(item));
}

OrderedJson text_value(std::string text) {
    return OrderedJson(std::move(text));
}

OrderedJson raw_value(const RawJson& raw) {
    return OrderedJson::parse(raw.json);
}

}  // namespace detail

std::string json_text(const OrderedJson& document, int indent) {
    return document.dump(indent, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace pve_rdma
