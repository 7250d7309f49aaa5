// The C interface, through the shared library as another program uses it.
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <pve_rdma.h>

namespace {

using nlohmann::ordered_json;

struct Answer {
    int code = -2;
    std::string text;
};

Answer called(const char* operation, const char* request, std::size_t length) {
    char* reply = nullptr;
    std::size_t reply_length = 0;
    Answer answer;
    answer.code = pve_rdma_call(operation, request, length, &reply, &reply_length);
    EXPECT_NE(reply, nullptr);
    if (reply) {
        EXPECT_EQ(std::strlen(reply), reply_length) << "NUL-terminated";
        answer.text.assign(reply, reply_length);
    }
    pve_rdma_free(reply);
    return answer;
}

Answer called(const char* operation, const std::string& request) {
    return called(operation, request.data(), request.size());
}

// Builds a document from the calls of a visit. The open containers stand on the stack, each with its pending
// key.
class Builder {
  public:
    static pve_rdma_visitor functions() {
        return {
            .begin_object = [](void* self) { of(self).open(ordered_json::object()); },
            .key = [](void* self, const char* text,
                      std::size_t length) { of(self).stack_.back().second.assign(text, length); },
            .end_object = [](void* self) { of(self).close(); },
            .begin_array = [](void* self) { of(self).open(ordered_json::array()); },
            .end_array = [](void* self) { of(self).close(); },
            .string = [](void* self, const char* text,
                         std::size_t length) { of(self).add(std::string(text, length)); },
            .signed_integer = [](void* self, std::int64_t value) { of(self).add(value); },
            .unsigned_integer = [](void* self, std::uint64_t value) { of(self).add(value); },
            .number = [](void* self, double value) { of(self).add(value); },
            .boolean = [](void* self, int value) { of(self).add(value != 0); },
            .null = [](void* self) { of(self).add(nullptr); },
        };
    }
    ordered_json document;

  private:
    static Builder& of(void* self) { return *static_cast<Builder*>(self); }
    void open(ordered_json container) { stack_.emplace_back(std::move(container), ""); }
    void close() {
        ordered_json done = std::move(stack_.back().first);
        stack_.pop_back();
        add(std::move(done));
    }
    void add(ordered_json value) {
        if (stack_.empty()) {
            document = std::move(value);
        } else if (auto& [container, key] = stack_.back(); container.is_object()) {
            container[key] = std::move(value);
        } else {
            container.push_back(std::move(value));
        }
    }
    std::vector<std::pair<ordered_json, std::string>> stack_;
};

ordered_json visited(const char* operation, const std::string& request, int& code) {
    Builder builder;
    const pve_rdma_visitor functions = Builder::functions();
    code = pve_rdma_visit(operation, request.data(), request.size(), &functions, &builder);
    return builder.document;
}

TEST(CInterface, HasTheVersionOfTheBuild) {
    EXPECT_TRUE(std::strchr(pve_rdma_version(), '.'));
}

TEST(CInterface, NullIsAnEmptyRequest) {
    const Answer answer = called("schema", nullptr, 0);
    EXPECT_EQ(answer.code, 0);
    EXPECT_EQ(ordered_json::parse(answer.text)["ok"], true);
    EXPECT_EQ(called("schema", "").text, answer.text);
    EXPECT_EQ(called("schema", "{}").text, answer.text);
}

// The length counts, not a NUL.
TEST(CInterface, TheRequestNeedsNoNul) {
    const std::string request = R"({"operation":"probe"}garbage)";
    EXPECT_EQ(called("schema", request.data(), request.size() - 7).code, 0);
    EXPECT_EQ(called("schema", request).code, 2);
}

TEST(CInterface, AnUnknownOrMissingOperationIsAReply) {
    for (const char* operation : {"none", "", static_cast<const char*>(nullptr)}) {
        const Answer answer = called(operation, "{}");
        EXPECT_EQ(answer.code, 2);
        EXPECT_EQ(ordered_json::parse(answer.text)["error"]["code"], "bad_request");
    }
}

TEST(CInterface, AMalformedRequestIsAReplyWithItsPlace) {
    const Answer answer = called("schema", "{\n\"operation\": }");
    EXPECT_EQ(answer.code, 2);
    const auto error = ordered_json::parse(answer.text)["error"];
    EXPECT_EQ(error["code"], "bad_request");
    EXPECT_EQ(error["line"], 2);
    EXPECT_EQ(called("schema", std::string("{\0}", 3)).code, 2);
    EXPECT_EQ(called("schema", "{\"operation\":\"\xff\"}").code, 2);
}

TEST(CInterface, FoldersAreNotTaken) {
    EXPECT_EQ(called("probe", R"({"root":"/"})").code, 2);
    EXPECT_EQ(called("probe", R"({"record":"/tmp/x"})").code, 2);
}

TEST(CInterface, AVisitIsTheDocumentOfACall) {
    for (const auto& [operation, request] : std::vector<std::pair<const char*, std::string>>{
             {"schema", "{}"}, {"schema", R"({"operation":"probe"})"}, {"schema", "{"}, {"none", "{}"}}) {
        int code = -2;
        const auto document = visited(operation, request, code);
        const Answer answer = called(operation, request);
        EXPECT_EQ(code, answer.code) << operation << request;
        EXPECT_EQ(document.dump(), ordered_json::parse(answer.text).dump()) << operation << request;
    }
}

TEST(CInterface, TheTextIsThatOfTheCommandLine) {
    Builder builder, other;
    const pve_rdma_visitor functions = Builder::functions();
    char* text = nullptr;
    const std::string request = R"({"operation":"probe"})";
    EXPECT_EQ(pve_rdma_visit_text("schema", request.data(), request.size(), &functions, &builder, &text), 0);
    ASSERT_NE(text, nullptr);
    EXPECT_EQ(ordered_json::parse(text).dump(), builder.document["operations"].dump());
    pve_rdma_free(text);
    EXPECT_EQ(pve_rdma_visit_text("schema", "{", 1, &functions, &other, &text), 2);
    EXPECT_EQ(text, nullptr);
}

TEST(CInterface, FreeingNothingIsFine) {
    pve_rdma_free(nullptr);
}

}  // namespace
