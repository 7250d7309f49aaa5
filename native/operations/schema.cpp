// `pve-rdma schema`: the operation table as JSON Schema, for the faces that are generated from it.
#include <utility>

#include <fmt/format.h>

#include "base/json_document.h"
#include "operations/reply.h"
#include "operations/request.h"
#include "operations/table.h"

namespace pve_rdma {

namespace {

OrderedJson parameter_schema(const Parameter& parameter) {
    OrderedJson schema = OrderedJson::object();
    OrderedJson choices = OrderedJson::array();
    for (const auto choice : parameter.choices)
        choices.push_back(choice);
    switch (parameter.type) {
        case ParameterType::text:
            schema["type"] = "string";
            break;
        case ParameterType::integer:
            schema["type"] = "integer";
            break;
        case ParameterType::flag:
            schema["type"] = "boolean";
            break;
        case ParameterType::list:
            schema["type"] = "array";
            break;
    }
    schema["description"] = parameter.description;
    if (parameter.type == ParameterType::list) schema["items"] = OrderedJson{{"type", "string"}};
    if (!choices.empty())
        (parameter.type == ParameterType::list ? schema["items"] : schema)["enum"] = choices;
    if (parameter.minimum) schema["minimum"] = *parameter.minimum;
    if (parameter.maximum) schema["maximum"] = *parameter.maximum;
    if (parameter.default_value) schema["default"] = *parameter.default_value;
    OrderedJson faces = OrderedJson::array();
    if (parameter.offered_to(Face::cli)) faces.push_back("cli");
    if (parameter.offered_to(Face::api)) faces.push_back("api");
    if (parameter.offered_to(Face::ansible)) faces.push_back("ansible");
    schema["x-faces"] = faces;
    if (parameter.positional) schema["x-positional"] = true;
    return schema;
}

std::string_view to_string(Access access) {
    switch (access) {
        case Access::audit:
            return "audit";
        case Access::modify:
            return "modify";
        case Access::root:
            return "root";
    }
    std::unreachable();
}

OrderedJson api_method_schema(const ApiMethod& method) {
    OrderedJson schema{{"method", method.method},
                       {"path", method.path},
                       {"access", to_string(method.access)},
                       {"task", method.task}};
    for (const auto name : method.without)
        schema["without"].push_back(name);
    for (const auto& [name, value] : method.preset)
        schema["preset"][std::string(name)] = value;
    if (!method.children.empty()) schema["children"] = method.children;
    return schema;
}

OrderedJson operation_schema(const Operation& operation, bool with_result) {
    OrderedJson properties = OrderedJson::object(), required = OrderedJson::array();
    for (const auto& parameter : operation.parameters) {
        properties[std::string(parameter.name)] = parameter_schema(parameter);
        if (parameter.required) required.push_back(parameter.name);
    }
    OrderedJson schema{{"name", operation.name},
                       {"summary", operation.summary},
                       {"description", operation.description},
                       {"effect", operation.effect == Effect::read ? "read" : "write"},
                       {"needs_root", operation.needs_root}};
    for (const auto& method : operation.api)
        schema["api"].push_back(api_method_schema(method));
    if (!operation.ansible.empty()) schema["ansible"] = operation.ansible;
    schema["parameters"] = {{"type", "object"},
                            {"additionalProperties", false},
                            {"properties", properties},
                            {"required", required}};
    if (!operation.result_key.empty()) {
        schema["result"] = operation.result_key;
        if (with_result) schema["result_schema"] = OrderedJson::parse(operation.result_schema());
    }
    return schema;
}

Reply run(const Request& request) {
    Reply reply;
    reply.operation = "schema";
    OrderedJson list = OrderedJson::array();
    const auto wanted = request.text("operation");
    for (const auto& operation : operations())
        if (!wanted || operation.name == *wanted)
            list.push_back(operation_schema(operation, wanted.has_value()));
    if (list.empty())
        return Reply::failed("schema", {.code = ErrorCode::bad_request,
                                        .subject = *wanted,
                                        .message = "no such operation",
                                        .hint = "pve-rdma schema without a name lists them all"});
    reply.operations = RawJson{list.dump(2)};
    return reply;
}

std::string text(const Reply& reply, const TextStyle&) {
    return reply.operations->json + "\n";
}

}  // namespace

const Operation schema_operation{
    .name = "schema",
    .summary = "Print the operations and their parameters as JSON Schema",
    .description =
        "Prints the table that every face is driven from. With the name of an operation, its result's "
        "schema too.",
    .parameters = {{.name = "operation",
                    .description = "Name of one operation, as fabric-walk",
                    .placeholder = "OPERATION",
                    .positional = true}},
    .result_key = "operations",
    .result_schema = [] { return std::string(R"({"type":"array","items":{"type":"object"}})"); },
    .run = run,
    .text = text,
};

}  // namespace pve_rdma
