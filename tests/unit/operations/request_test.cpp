// Requests: what is taken, what is refused and how the refusal is worded.
#include "operations/request.h"

#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace pve_rdma {
namespace {

const Operation sample{
    .name = "sample",
    .summary = "A sample",
    .description = "A sample.",
    .parameters =
        {{.name = "word", .description = "A word."},
         {.name = "color", .description = "A color.", .choices = {"red", "blue"}},
         {.name = "count",
          .type = ParameterType::integer,
          .description = "A count.",
          .minimum = 1,
          .maximum = 9},
         {.name = "any", .type = ParameterType::integer, .description = "Any number."},
         {.name = "force", .type = ParameterType::flag, .description = "A flag."},
         {.name = "names", .type = ParameterType::list, .description = "Names."},
         {.name = "kinds", .type = ParameterType::list, .description = "Kinds.", .choices = {"a", "b"}},
         {.name = "root", .description = "A folder.", .faces = cli_only}},
};

const Operation demanding{
    .name = "demanding",
    .summary = "A sample",
    .description = "A sample.",
    .parameters = {{.name = "target", .description = "Which one.", .required = true}},
};

Result<Request> api(std::string_view json) {
    return Request::from_json(sample, Face::api, json);
}

Error refusal(std::string_view json, Face face = Face::api) {
    const auto request = Request::from_json(sample, face, json);
    EXPECT_FALSE(request) << json;
    return request ? Error{} : request.error();
}

TEST(Request, TakesEveryType) {
    const auto request =
        api(R"({"word":"w","color":"blue","count":9,"force":true,"names":["x","y"],"kinds":["b"]})");
    ASSERT_TRUE(request) << request.error().text();
    EXPECT_EQ(request->text("word"), "w");
    EXPECT_EQ(request->text("color"), "blue");
    EXPECT_EQ(request->integer("count"), 9);
    EXPECT_TRUE(request->flag("force"));
    EXPECT_EQ(request->list("names"), (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(request->list("kinds"), std::vector<std::string>{"b"});
}

TEST(Request, EmptyTextAndEmptyObjectAreAnEmptyRequest) {
    for (const auto* text : {"", "{}", " {\n} "}) {
        const auto request = api(text);
        ASSERT_TRUE(request) << text;
        EXPECT_EQ(request->text("word"), std::nullopt);
        EXPECT_EQ(request->integer("count"), std::nullopt);
        EXPECT_FALSE(request->flag("force"));
        EXPECT_TRUE(request->list("names").empty());
    }
}

TEST(Request, NullIsNotGiven) {
    const auto request = api(R"({"word":null,"count":null,"force":null,"names":null})");
    ASSERT_TRUE(request) << request.error().text();
    EXPECT_EQ(request->text("word"), std::nullopt);
}

// Ansible's k=v and Proxmox's form parameters arrive as text.
TEST(Request, TextIsReadAsTheTypeThatIsWanted) {
    const auto request = api(R"({"count":"3","any":"-9223372036854775808","force":"yes","names":"one"})");
    ASSERT_TRUE(request) << request.error().text();
    EXPECT_EQ(request->integer("count"), 3);
    EXPECT_EQ(request->integer("any"), std::numeric_limits<std::int64_t>::min());
    EXPECT_TRUE(request->flag("force"));
    EXPECT_EQ(request->list("names"), std::vector<std::string>{"one"});
}

TEST(Request, TruthValuesHaveSeveralWords) {
    for (const auto* yes : {"true", "1", R"("1")", R"("true")", R"("True")", R"("yes")", R"("on")"})
        EXPECT_TRUE(api(std::string(R"({"force":)") + yes + "}")->flag("force")) << yes;
    for (const auto* no : {"false", "0", R"("0")", R"("false")", R"("False")", R"("no")", R"("off")"}) {
        const auto request = api(std::string(R"({"force":)") + no + "}");
        ASSERT_TRUE(request) << no;
        EXPECT_FALSE(request->flag("force")) << no;
    }
    for (const auto* neither : {"2", "-1", R"("")", R"("maybe")", "[]", "1.0"})
        EXPECT_FALSE(api(std::string(R"({"force":)") + neither + "}")) << neither;
}

TEST(Request, BoundsAreInclusive) {
    EXPECT_TRUE(api(R"({"count":1})"));
    EXPECT_TRUE(api(R"({"count":9})"));
    EXPECT_EQ(refusal(R"({"count":0})").message, "0 is outside 1 to 9");
    EXPECT_EQ(refusal(R"({"count":"10"})").message, "10 is outside 1 to 9");
}

TEST(Request, IntegersOfAnotherKindAreRefused) {
    for (const auto* value : {"1.5", "true", "[1]", "{}", "9223372036854775808", "1e30", R"("")", R"("1x")",
                              R"(" 1")", R"("0x10")"})
        EXPECT_EQ(refusal(std::string(R"({"any":)") + value + "}").code, ErrorCode::bad_request) << value;
}

TEST(Request, TextOfAnotherKindIsRefused) {
    for (const auto* value : {"1", "true", "[]", "{}", R"("a\u0000b")"})
        EXPECT_FALSE(api(std::string(R"({"word":)") + value + "}")) << value;
}

TEST(Request, ChoicesAreTheOnlyValues) {
    const Error one = refusal(R"({"color":"green"})");
    EXPECT_EQ(one.message, R"("green" is not one of its values)");
    EXPECT_EQ(one.hint, "one of: red, blue");
    EXPECT_FALSE(api(R"({"kinds":["a","c"]})"));
    EXPECT_FALSE(api(R"({"names":["a",1]})"));
}

TEST(Request, AnUnknownParameterIsRefusedWhereItStands) {
    const Error error = refusal("{\n  \"word\": \"w\",\n  \"colour\": \"red\"\n}");
    EXPECT_EQ(error.code, ErrorCode::bad_request);
    EXPECT_NE((error.subject + error.message).find("colour"), std::string::npos) << error.text();
    EXPECT_NE(error.message.find("unknown parameter"), std::string::npos) << error.text();
    EXPECT_EQ(error.line, 3);
    EXPECT_GT(error.column, 1);
    EXPECT_EQ(error.hint, "sample takes: word, color, count, any, force, names, kinds");
}

TEST(Request, AWrongValueIsRefusedWhereItStands) {
    EXPECT_EQ(refusal("{\"word\": \"w\",\n\n  \"count\": 77}").line, 3);
}

TEST(Request, DuplicateKeysTrailingTextCommentsAndOtherRootsAreRefused) {
    for (const auto* text : {R"({"word":"a","word":"b"})", R"({} x)", R"({}{})", R"({/**/})", "[]", "null",
                             "7", "{", R"({"word":})"})
        EXPECT_EQ(refusal(text).code, ErrorCode::bad_request) << text;
}

TEST(Request, DepthAndSizeHaveLimits) {
    EXPECT_FALSE(api(R"({"names":)" + std::string(100000, '[') + std::string(100000, ']') + "}"));
    EXPECT_FALSE(api(R"({"word":")" + std::string(65u << 20, 'x') + "\"}"));
    EXPECT_TRUE(api(R"({"word":")" + std::string(1u << 20, 'x') + "\"}"));
}

TEST(Request, AParameterOfTheCommandLineIsUnknownToTheOtherFaces) {
    EXPECT_NE(refusal(R"({"root":"/tmp"})", Face::api).message.find("unknown parameter"), std::string::npos);
    EXPECT_NE(refusal(R"({"root":"/tmp"})", Face::ansible).message.find("unknown parameter"),
              std::string::npos);
    EXPECT_EQ(refusal(R"({"root":null})", Face::api).code, ErrorCode::bad_request) << "given or not";
    EXPECT_EQ(Request::from_words(sample, {{"root", {"/tmp"}}})->text("root"), "/tmp");
}

TEST(Request, AnsiblesOwnKeysAreIgnoredForAnsibleOnly) {
    const auto request = Request::from_json(
        sample, Face::ansible, R"({"_ansible_check_mode":false,"_ansible_new":{"x":[1]},"word":"w"})");
    ASSERT_TRUE(request) << request.error().text();
    EXPECT_EQ(request->text("word"), "w");
    EXPECT_FALSE(api(R"({"_ansible_check_mode":false})"));
}

TEST(Request, WhatIsRequiredMustBeGiven) {
    for (const auto* text : {"{}", R"({"target":null})", ""}) {
        const auto request = Request::from_json(demanding, Face::api, text);
        ASSERT_FALSE(request) << text;
        EXPECT_EQ(request.error().subject, "target");
        EXPECT_EQ(request.error().message, "is required");
    }
    EXPECT_FALSE(Request::from_words(demanding, {}));
    EXPECT_TRUE(Request::from_words(demanding, {{"target", {"t"}}}));
}

TEST(Request, WordsOfTheCommandLineFollowTheSameRules) {
    const auto request = Request::from_words(
        sample, {{"count", {"4"}}, {"force", {}}, {"names", {"x", "y"}}, {"color", {"red"}}});
    ASSERT_TRUE(request) << request.error().text();
    EXPECT_EQ(request->integer("count"), 4);
    EXPECT_TRUE(request->flag("force"));
    EXPECT_EQ(request->list("names"), (std::vector<std::string>{"x", "y"}));
    EXPECT_FALSE(Request::from_words(sample, {{"count", {"10"}}}));
    EXPECT_FALSE(Request::from_words(sample, {{"color", {"green"}}}));
    EXPECT_FALSE(Request::from_words(sample, {{"colour", {"red"}}}));
}

}  // namespace
}  // namespace pve_rdma
