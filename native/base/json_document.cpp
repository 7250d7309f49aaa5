#include "base/json_document.h"

#include "base/json_write.h"

namespace pve_rdma {

std::string document_text(const OrderedJson& document, int indent) {
    return document.dump(indent, ' ', false, OrderedJson::error_handler_t::replace);
}

void visit_document(const OrderedJson& value, JsonVisitor& visitor) {
    switch (value.type()) {
        case OrderedJson::value_t::object:
            visitor.begin_object();
            for (const auto& [key, member] : value.get_ref<const OrderedJson::object_t&>()) {
                visitor.key(key);
                visit_document(member, visitor);
            }
            visitor.end_object();
            break;
        case OrderedJson::value_t::array:
            visitor.begin_array();
            for (const auto& item : value)
                visit_document(item, visitor);
            visitor.end_array();
            break;
        case OrderedJson::value_t::string:
            visitor.string(value.get_ref<const std::string&>());
            break;
        case OrderedJson::value_t::boolean:
            visitor.boolean(value.get<bool>());
            break;
        case OrderedJson::value_t::number_integer:
            visitor.signed_integer(value.get<std::int64_t>());
            break;
        case OrderedJson::value_t::number_unsigned:
            visitor.unsigned_integer(value.get<std::uint64_t>());
            break;
        case OrderedJson::value_t::number_float:
            visitor.number(value.get<double>());
            break;
        default:
            visitor.null();
            break;
    }
}

void visit_raw_json(const RawJson& raw, JsonVisitor& visitor) {
    visit_document(OrderedJson::parse(raw.json), visitor);
}

std::string with_unknown_keys(const std::string& json, const std::vector<UnknownKey>& unknown,
                              const std::string& below, int indent) {
    OrderedJson document = OrderedJson::parse(json);
    for (const auto& key : unknown)
        document[OrderedJson::json_pointer(below + key.pointer)] = OrderedJson::parse(key.json);
    return document_text(document, indent);
}

}  // namespace pve_rdma
