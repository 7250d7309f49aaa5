#include "operations/reply.h"

#include "base/json_write.h"

namespace pve_rdma {

namespace {

std::optional<std::string> unless_empty(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

// The document, with the keys that a newer report brought back in their places.
OrderedJson document(const Reply& reply) {
    OrderedJson json = to_json_value(reply);
    if (!json.contains("error")) json["error"] = nullptr;  // part of the contract: present on success too
    if (reply.report)
        for (const auto& key : reply.report->unknown)
            json["report"][OrderedJson::json_pointer(key.pointer)] = OrderedJson::parse(key.json);
    return json;
}

void walk(const OrderedJson& value, ReplyVisitor& visitor) {
    switch (value.type()) {
        case OrderedJson::value_t::object:
            visitor.begin_object();
            for (const auto& [key, member] : value.get_ref<const OrderedJson::object_t&>()) {
                visitor.key(key);
                walk(member, visitor);
            }
            visitor.end_object();
            break;
        case OrderedJson::value_t::array:
            visitor.begin_array();
            for (const auto& item : value)
                walk(item, visitor);
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

}  // namespace

ErrorView ErrorView::from(const Error& error) {
    ErrorView view;
    view.code = to_string(error.code);
    view.subject = error.subject;
    view.message = error.message;
    view.errno_name = unless_empty(error.errno_name());
    view.kernel_text = unless_empty(error.kernel_text);
    view.file = unless_empty(error.file);
    view.hint = unless_empty(error.hint);
    if (error.line) view.line = error.line;
    if (error.column) view.column = error.column;
    return view;
}

Reply Reply::failed(std::string_view operation, Error error) {
    Reply reply;
    reply.operation = operation;
    reply.ok = false;
    reply.failure = std::move(error);
    return reply;
}

int Reply::exit_code() const {
    if (failure) return pve_rdma::exit_code(failure->code);
    return ok ? 0 : 1;
}

std::string reply_json(const Reply& reply, int indent) {
    return json_text(document(reply), indent);
}

void visit_reply(const Reply& reply, ReplyVisitor& visitor) {
    walk(document(reply), visitor);
}

}  // namespace pve_rdma
