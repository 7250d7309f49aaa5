// Replies: one document, its exit code, and the walk that Perl gets.
#include "operations/reply.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace pve_rdma {
namespace {

using nlohmann::ordered_json;

TEST(Reply, ExitCodesTellTheKindsOfFailureApart) {
    EXPECT_EQ(Reply{}.exit_code(), 0);
    Reply says_no;
    says_no.ok = false;
    EXPECT_EQ(says_no.exit_code(), 1);
    const auto code = [](ErrorCode error) { return Reply::failed("x", {.code = error}).exit_code(); };
    EXPECT_EQ(code(ErrorCode::bad_request), 2);
    EXPECT_EQ(code(ErrorCode::machine), 3);
    EXPECT_EQ(code(ErrorCode::unavailable), 3);
    EXPECT_EQ(code(ErrorCode::internal), 3);
    EXPECT_EQ(code(ErrorCode::conflict), 4);
}

TEST(Reply, AnErrorKeepsAllItKnows) {
    const Reply reply = Reply::failed("apply", {.code = ErrorCode::machine,
                                                .subject = "ib0",
                                                .message = "cannot set the MTU",
                                                .errno_value = EINVAL,
                                                .kernel_text = "mtu greater than device maximum",
                                                .file = "wanted.json",
                                                .line = 3,
                                                .column = 14,
                                                .hint = "65520 needs connected mode"});
    const auto json = ordered_json::parse(reply_json(reply, -1));
    EXPECT_EQ(json["ok"], false);
    EXPECT_EQ(json["operation"], "apply");
    EXPECT_EQ(json["error"], ordered_json({{"code", "machine"},
                                           {"subject", "ib0"},
                                           {"message", "cannot set the MTU"},
                                           {"errno", "EINVAL"},
                                           {"kernel", "mtu greater than device maximum"},
                                           {"file", "wanted.json"},
                                           {"line", 3},
                                           {"column", 14},
                                           {"hint", "65520 needs connected mode"}}));
}

TEST(Reply, SuccessHasEveryMemberToo) {
    Reply reply;
    reply.operation = "probe";
    const auto json = ordered_json::parse(reply_json(reply, 1));
    EXPECT_EQ(json, ordered_json({{"v", 1},
                                  {"operation", "probe"},
                                  {"ok", true},
                                  {"changed", false},
                                  {"warnings", ordered_json::array()},
                                  {"error", nullptr}}));
}

TEST(Reply, TextThatIsNotUtf8StaysValidJson) {
    Reply reply;
    reply.warnings = {"serial \xff\xfe"};
    EXPECT_TRUE(ordered_json::accept(reply_json(reply, -1)));
}

TEST(Call, AnUnknownOperationNamesTheKnownOnes) {
    const Reply reply = call("prob", Face::api, "{}");
    EXPECT_EQ(reply.exit_code(), 2);
    ASSERT_TRUE(reply.failure);
    EXPECT_EQ(reply.failure->subject, "prob");
    EXPECT_NE(reply.failure->hint.find("probe"), std::string::npos);
}

TEST(Call, FoldersAreNotTakenFromTheApi) {
    for (const auto* request : {R"({"root":"/tmp"})", R"({"record":"/tmp/x"})"}) {
        const Reply reply = call("probe", Face::api, request);
        EXPECT_EQ(reply.exit_code(), 2) << request;
        EXPECT_FALSE(reply.report) << request;
    }
}

}  // namespace
}  // namespace pve_rdma
