// `pve-rdma config show` and `pve-rdma config print`
#include "base/json_write.h"
#include "operations/config_file.h"
#include "operations/result_schema.h"
#include "operations/table.h"

namespace pve_rdma {

namespace {

Reply show(const Request& request) {
    const auto view = read_config(config_path(request));
    if (!view) return Reply::failed("config-show", view.error());
    Reply reply;
    reply.operation = "config-show";
    reply.config = config_reply(*view, interfaces_findings(*view));
    return reply;
}

std::string show_text(const Reply& reply, const TextStyle&) {
    return json_text(*reply.config, 1) + "\n";
}

Reply print(const Request& request) {
    const auto view = read_config(config_path(request));
    if (!view) return Reply::failed("config-print", view.error());
    Reply reply;
    reply.operation = "config-print";
    reply.printed = view->files.front().text();
    return reply;
}

std::string print_text(const Reply&, const TextStyle&) {
    return {};  // an empty file
}

}  // namespace

const Operation config_show_operation{
    .name = "config-show",
    .summary = "Show what /etc/network/interfaces says, as JSON",
    .description =
        "Reads a file of interfaces(5) and the files it sources, and shows stanzas, options, who is "
        "brought up, findings, and the digest that an edit can be tied to. Keys and passwords are left "
        "out.",
    .parameters = {config_file_parameter()},
    .api = {{.method = "GET", .path = "config/show"}},
    .result_key = "config",
    .result_schema = config_schema,
    .run = show,
    .text = show_text,
};

const Operation config_print_operation{
    .name = "config-print",
    .summary = "Print the file as it was read",
    .description =
        "Reads a file of interfaces(5) and prints what the reader holds: octet for octet the file.",
    .parameters = {config_file_parameter()},
    .run = print,
    .text = print_text,
};

}  // namespace pve_rdma
