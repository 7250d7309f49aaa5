// JSON from outside: limits hold, and each refusal says where.
#include <gtest/gtest.h>

#include "base/json_parse.h"

namespace pve_rdma {
namespace {

Error refused(std::string_view text, const JsonLimits& limits = {}) {
    const auto value = parse_json(text, "d.json", limits);
    EXPECT_FALSE(value) << text;
    return value ? Error{} : value.error();
}

TEST(JsonEdge, TakesAnObject) {
    const auto value = parse_json(R"({"a":[1,{"b":"\u00e9{["}]})", "d.json");
    ASSERT_TRUE(value) << value.error().text();
    EXPECT_EQ((*value)["a"][1]["b"].asString(), "\xc3\xa9{[");
}

TEST(JsonEdge, StopsAtItsDepth) {
    const JsonLimits limits{.max_octets = 1000, .max_depth = 3};
    EXPECT_TRUE(parse_json(R"({"a":[[]]})", "d.json", limits));
    const Error error = refused("{\"a\":\n[[[]]]}", limits);
    EXPECT_EQ(error.line, 2);
    EXPECT_EQ(error.column, 3);
    EXPECT_NE(error.message.find("deeper than 3"), std::string::npos);
    EXPECT_EQ(refused(std::string(100'000, '[')).column, 65);
}

TEST(JsonEdge, StopsAtItsSize) {
    const JsonLimits limits{.max_octets = 10, .max_depth = 64};
    EXPECT_TRUE(parse_json(R"({"a":1})", "d.json", limits));
    EXPECT_NE(refused(R"({"a":123456})", limits).message.find("limit of 10"), std::string::npos);
}

TEST(JsonEdge, RefusesWhatStrictJsonRefuses) {
    for (const char* text : {"", "1", "[]", "{", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{'a':1}", "{\"a\":NaN}",
                             "{\"a\":1}{", "// c\n{}", "{\"a\":1, /* c */ \"b\":2}", "{\"a\":1,\"a\":2}",
                             "{\"a\":\"\\q\"}", "\xef\xbb\xbf{} x"}) {
        const Error error = refused(text);
        EXPECT_EQ(error.code, ErrorCode::malformed) << text;
        EXPECT_GE(error.line, 1) << text;
        EXPECT_GE(error.column, 1) << text;
    }
}

TEST(JsonEdge, CountsLinesAndColumnsFromOne) {
    const std::string text = "{\n  \"a\": 1,\n  \"b\": 2\n}";
    const auto value = parse_json(text, "d.json");
    ASSERT_TRUE(value);
    const Error error = json_error(text, "d.json", (*value)["b"], "/b", "no");
    EXPECT_EQ(error.text(), "d.json:3:8: /b: no");
}

}  // namespace
}  // namespace pve_rdma
