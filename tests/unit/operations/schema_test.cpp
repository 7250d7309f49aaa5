// `pve-rdma schema`: what the generators of the other faces read.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "operations/operation.h"
#include "operations/reply.h"

namespace pve_rdma {
namespace {

using nlohmann::ordered_json;

ordered_json schema(const std::string& request) {
    const Reply reply = call("schema", Face::api, request);
    EXPECT_FALSE(reply.failure) << reply.failure->text();
    return ordered_json::parse(reply_json(reply, -1))["operations"];
}

TEST(Schema, ListsTheWholeTableInItsOrder) {
    const auto list = schema("");
    ASSERT_EQ(list.size(), operations().size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Operation& operation = operations()[i];
        EXPECT_EQ(list[i]["name"], operation.name);
        EXPECT_EQ(list[i]["needs_root"], operation.needs_root);
        EXPECT_EQ(list[i]["effect"], operation.effect == Effect::read ? "read" : "write");
        EXPECT_EQ(list[i].contains("api"), !operation.api.empty());
        EXPECT_EQ(list[i].contains("ansible"), !operation.ansible.empty());
        EXPECT_FALSE(list[i].contains("result_schema")) << "only with a name";
    }
}

TEST(Schema, SaysOfEachParameterWhatTheTableSays) {
    for (const auto& operation : operations()) {
        const auto list = schema(ordered_json{{"operation", operation.name}}.dump());
        ASSERT_EQ(list.size(), 1u);
        const auto& parameters = list[0]["parameters"];
        EXPECT_EQ(parameters["additionalProperties"], false);
        ASSERT_EQ(parameters["properties"].size(), operation.parameters.size()) << operation.name;
        for (const auto& parameter : operation.parameters) {
            const auto& entry = parameters["properties"][std::string(parameter.name)];
            const auto has = [&](const char* face) {
                return std::ranges::find(entry["x-faces"], face) != entry["x-faces"].end();
            };
            EXPECT_EQ(entry["description"], parameter.description);
            EXPECT_EQ(has("api"), parameter.offered_to(Face::api)) << parameter.name;
            EXPECT_EQ(has("cli"), parameter.offered_to(Face::cli)) << parameter.name;
            EXPECT_EQ(has("ansible"), parameter.offered_to(Face::ansible)) << parameter.name;
            EXPECT_EQ(entry.contains("minimum"), parameter.minimum.has_value()) << parameter.name;
            EXPECT_EQ(entry.contains("maximum"), parameter.maximum.has_value()) << parameter.name;
            EXPECT_EQ(entry.value("default", std::int64_t{-12345}), parameter.default_value.value_or(-12345));
            const auto& required = parameters["required"];
            EXPECT_EQ(std::find(required.begin(), required.end(), parameter.name) != required.end(),
                      parameter.required);
        }
    }
}

// Types, members and required members all the way down: what a converter must be able to count on.
void check(const ordered_json& schema, const std::string& path) {
    ASSERT_TRUE(schema.is_object()) << path;
    const std::string type = schema.value("type", "");
    const std::vector<std::string> types{"object", "array", "string", "integer", "number", "boolean"};
    EXPECT_NE(std::ranges::find(types, type), types.end()) << path << ": type \"" << type << '"';
    if (type == "array") check(schema.value("items", ordered_json()), path + "[]");
    if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object())
        check(schema["additionalProperties"], path + ".*");
    if (!schema.contains("properties")) return;
    for (const auto& [name, member] : schema["properties"].items())
        check(member, path + "." + name);
    for (const auto& name : schema["required"])
        EXPECT_TRUE(schema["properties"].contains(name.get<std::string>())) << path << " requires " << name;
}

TEST(Schema, ResultsAreDescribedAllTheWayDown) {
    for (const auto& operation : operations()) {
        if (operation.result_key.empty()) continue;
        const auto entry = schema(ordered_json{{"operation", operation.name}}.dump())[0];
        EXPECT_EQ(entry["result"], operation.result_key);
        check(entry["result_schema"], std::string(operation.name));
    }
}

TEST(Schema, AnUnknownNameIsAnError) {
    EXPECT_EQ(call("schema", Face::api, R"({"operation":"none"})").exit_code(), 2);
}

}  // namespace
}  // namespace pve_rdma
