// The Ansible face: a binary module. Ansible runs it as MODULE ARGS_FILE, where the file holds one JSON
// object, and reads one JSON object from standard output; its exit code does not count ("failed" does).
// The action plugin of the collection runs the installed one with "-" and the same object on standard input.
//
// Which operation it is comes from _pve_rdma_module, else from _ansible_module_name, which Ansible adds
// itself
// ("pve.rdma.node_info"; when the collection sends this program it is the name of the sent file instead).
// Other keys that begin with an underscore are Ansible's own, more with each release, and no concern of ours.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
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

Result<std::string> read_all(int fd, const std::string& name) {
    std::string content;
    char buffer[8192];
    while (true) {
        const ssize_t got = ::read(fd, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return std::unexpected(errno_error(errno, name, "cannot read the arguments"));
        if (got == 0) return content;
        content.append(buffer, static_cast<std::size_t>(got));
        if (content.size() > max_arguments)
            return std::unexpected(Error{
                .code = ErrorCode::bad_request, .subject = name, .message = "more than 4 MiB of arguments"});
    }
}

Result<std::string> read_arguments(const std::string& path) {
    if (path == "-") return read_all(STDIN_FILENO, "standard input");
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return std::unexpected(errno_error(errno, path, "cannot open the arguments"));
    auto content = read_all(fd, path);
    ::close(fd);
    return content;
}

// "pve.rdma.node_info" -> "node_info"
std::string short_name(const std::string& name) {
    return name.substr(name.rfind('.') + 1);
}

std::string text_at(const Json::Value& arguments, const char* key) {
    return arguments[key].isString() ? arguments[key].asString() : "";
}

std::string compact(const Json::Value& value) {
    Json::StreamWriterBuilder builder;
    builder["indentation"] = "";
    return Json::writeString(builder, value);
}

Reply run(const std::string& text) {
    auto arguments = parse_json(text, "arguments");
    if (!arguments) {
        Error error = arguments.error();
        error.code = ErrorCode::bad_request;
        return Reply::failed("", std::move(error));
    }
    std::string name = text_at(*arguments, "_pve_rdma_module");
    if (name.empty()) name = text_at(*arguments, "_ansible_module_name");
    const Operation* operation = find_ansible_operation(short_name(name));
    if (!operation)
        return Reply::failed(
            "", {.code = ErrorCode::bad_request,
                 .subject = name,
                 .message = "not a module of the collection pve.rdma",
                 .hint = "Ansible passes the name as _ansible_module_name; is the collection newer "
                         "than the backend on the node?"});
    // Every module that writes has dry_run (tests/unit/operations/table_test.cpp).
    const auto knows_dry_run = std::ranges::find(operation->parameters, "dry_run", &Parameter::name);
    if ((*arguments)["_ansible_check_mode"] == true && knows_dry_run != operation->parameters.end())
        (*arguments)["dry_run"] = true;
    for (const auto& key : arguments->getMemberNames())
        if (key.starts_with('_')) arguments->removeMember(key);
    return call(operation->name, Face::ansible, compact(*arguments));
}

// The reply, with the words that Ansible looks for beside it.
std::string with_ansible_words(const Reply& reply) {
    std::string json = reply_json(reply, -1);
    if (!reply.failure) return json;
    std::string message = reply.failure->text();
    if (!reply.failure->hint.empty()) message += "; hint: " + reply.failure->hint;
    json.insert(json.size() - 1, ",\"failed\":true,\"msg\":" + compact(message));
    return json;
}

Reply answer(const std::string& path) {
    const auto arguments = read_arguments(path);
    return arguments ? run(*arguments) : Reply::failed("", arguments.error());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: pve-rdma-ansible ARGUMENTS_FILE (run by Ansible)\n";
        return 2;
    }
    // A controller that went away is a write error below, not a silent death.
    std::signal(SIGPIPE, SIG_IGN);
    try {
        const Reply reply = answer(argv[1]);
        std::cout << with_ansible_words(reply) << '\n' << std::flush;
        return std::cout ? reply.exit_code() : 3;
    } catch (const std::exception& exception) {
        // Out of memory, and what a library throws: Ansible still gets its one object.
        std::cout << "{\"changed\":false,\"failed\":true,\"msg\":"
                  << Json::valueToQuotedString(exception.what()) << "}\n"
                  << std::flush;
        return 3;
    }
}
