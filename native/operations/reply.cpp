#include "operations/reply.h"

#include "base/json_write.h"

namespace pve_rdma {

namespace {

std::optional<std::string> unless_empty(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

void visit_known(const Reply& reply, JsonVisitor& visitor) {
    visitor.begin_object();
    Reply::fields(reply, MemberVisitor{visitor});
    if (!reply.failure) {  // part of the contract: present on success too
        visitor.key("error");
        visitor.null();
    }
    visitor.end_object();
}

bool has_unknown_keys(const Reply& reply) {
    return reply.report && !reply.report->unknown.empty();
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
    JsonText text(indent);
    visit_known(reply, text);
    std::string json = text.take();
    return has_unknown_keys(reply) ? with_unknown_keys(json, reply.report->unknown, "/report", indent) : json;
}

void visit_reply(const Reply& reply, JsonVisitor& visitor) {
    if (has_unknown_keys(reply))
        visit_raw_json({reply_json(reply, -1)}, visitor);
    else
        visit_known(reply, visitor);
}

}  // namespace pve_rdma
