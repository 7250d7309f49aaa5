// The Ansible face: a binary module. Ansible runs it as MODULE ARGS_FILE, where the file holds one JSON
// object, and reads one JSON object from standard output; its exit code does not count ("failed" does).
//
// Which operation it is comes from _ansible_module_name, which Ansible adds itself ("pve.rdma.node_info").
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <string>

#include <fcntl.h>
#include <json/json.h>
#include <unistd.h>

#include "base/json_parse.h"
#include "operations/reply.h"
#include "operations/request.h"

namespace {

using namespace pve_rdma;

constexpr std::size_t max_arguments = 4u << 20;

Result<std::string> read_file(const char* path) {
    const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return std::unexpected(errno_error(errno, path, "cannot open the arguments"));
    std::string content;
    char buffer[8192];
    ssize_t got = 0;
    while (content.size() <= max_arguments && (got = ::read(fd, buffer, sizeof buffer)) > 0)
        content.append(buffer, static_cast<std::size_t>(got));
    const int failure = errno;
    ::close(fd);
    if (got < 0) return std::unexpected(errno_error(failure, path, "cannot read the arguments"));
    return content;
}

Reply run(const std::string& arguments) {
    const auto parsed = parse_json(arguments, "arguments");
    if (!parsed) return Reply::failed("", parsed.error());
    const std::string full_name = (*parsed)["_ansible_module_name"].asString();
    const std::string module = full_name.substr(full_name.rfind('.') + 1);
    const Operation* operation = find_ansible_operation(module);
    if (!operation)
        return Reply::failed("", {.code = ErrorCode::bad_request,
                                  .subject = full_name,
                                  .message = "not a module of this collection",
                                  .hint = "Ansible passes the name as _ansible_module_name"});
    return call(operation->name, Face::ansible, arguments);
}

// The reply, with the words that Ansible looks for beside it.
std::string with_ansible_words(const Reply& reply) {
    std::string json = reply_json(reply, -1);
    if (!reply.failure) return json;
    Json::StreamWriterBuilder builder;
    builder["indentation"] = "";
    std::string message = reply.failure->text();
    if (!reply.failure->hint.empty()) message += "; hint: " + reply.failure->hint;
    json.insert(json.size() - 1, ",\"failed\":true,\"msg\":" + Json::writeString(builder, message));
    return json;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: pve-rdma-ansible ARGUMENTS_FILE (run by Ansible)\n";
        return 2;
    }
    const auto arguments = read_file(argv[1]);
    const Reply reply = arguments ? run(*arguments) : Reply::failed("", arguments.error());
    std::cout << with_ansible_words(reply) << '\n' << std::flush;
    return std::cout ? reply.exit_code() : 3;
}
