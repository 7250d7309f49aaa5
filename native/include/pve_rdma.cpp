#include "pve_rdma.h"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <string_view>

#include "operations/operation.h"
#include "operations/reply.h"

namespace {

using namespace pve_rdma;

class CVisitor : public JsonVisitor {
  public:
    CVisitor(const pve_rdma_visitor& functions, void* context) : functions_(functions), context_(context) {}
    void begin_object() override { functions_.begin_object(context_); }
    void key(std::string_view text) override { functions_.key(context_, text.data(), text.size()); }
    void end_object() override { functions_.end_object(context_); }
    void begin_array() override { functions_.begin_array(context_); }
    void end_array() override { functions_.end_array(context_); }
    void string(std::string_view text) override { functions_.string(context_, text.data(), text.size()); }
    void signed_integer(std::int64_t value) override { functions_.signed_integer(context_, value); }
    void unsigned_integer(std::uint64_t value) override { functions_.unsigned_integer(context_, value); }
    void number(double value) override { functions_.number(context_, value); }
    void boolean(bool value) override { functions_.boolean(context_, value); }
    void null() override { functions_.null(context_); }

  private:
    const pve_rdma_visitor& functions_;
    void* context_;
};

Reply call_api(const char* operation, const char* request, std::size_t length) {
    return call(operation ? operation : "", Face::api, request ? std::string_view(request, length) : "");
}

}  // namespace

const char* pve_rdma_version(void) {
    return PVE_RDMA_VERSION;
}

int pve_rdma_call(const char* operation, const char* request, size_t request_length, char** reply,
                  size_t* reply_length) {
    *reply = nullptr;
    *reply_length = 0;
    try {
        const Reply answer = call_api(operation, request, request_length);
        const std::string text = reply_json(answer, -1);
        *reply = static_cast<char*>(std::malloc(text.size() + 1));
        if (!*reply) return -1;
        std::memcpy(*reply, text.c_str(), text.size() + 1);
        *reply_length = text.size();
        return answer.exit_code();
    } catch (const std::exception&) {
        return -1;
    }
}

void pve_rdma_free(char* reply) {
    std::free(reply);
}

int pve_rdma_visit(const char* operation, const char* request, size_t request_length,
                   const pve_rdma_visitor* visitor, void* context) {
    return pve_rdma_visit_text(operation, request, request_length, visitor, context, nullptr);
}

int pve_rdma_visit_text(const char* operation, const char* request, size_t request_length,
                        const pve_rdma_visitor* visitor, void* context, char** text) {
    if (text) *text = nullptr;
    try {
        const Reply answer = call_api(operation, request, request_length);
        if (text && !answer.failure) {
            const std::string words = find_operation(answer.operation)->text(answer, TextStyle{});
            *text = ::strdup(words.c_str());
            if (!*text) return -1;
        }
        CVisitor adapter(*visitor, context);
        visit_reply(answer, adapter);
        return answer.exit_code();
    } catch (const std::exception&) {
        if (text) {
            std::free(*text);
            *text = nullptr;
        }
        return -1;
    }
}
