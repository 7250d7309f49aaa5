// `pve-rdma config check`
#include <algorithm>

#include "operations/config_file.h"
#include "operations/result_schema.h"
#include "operations/table.h"

namespace pve_rdma {

namespace {

Reply run(const Request& request) {
    const auto view = read_config(config_path(request));
    if (!view) return Reply::failed("config-check", view.error());
    const auto diagnostics = interfaces_findings(*view);
    Reply reply;
    reply.operation = "config-check";
    reply.ok = !has_error(diagnostics);
    reply.config = config_reply(*view, diagnostics);
    const auto count = [&](eni::Severity severity) {
        return std::ranges::count(diagnostics, severity, &eni::Diagnostic::severity);
    };
    reply.config->rendered = render_findings(*view, diagnostics) +
                             fmt::format("{}: {} files, {} stanzas; {} errors, {} warnings\n",
                                         view->files.front().name(), view->files.size(), view->stanzas.size(),
                                         count(eni::Severity::error), count(eni::Severity::warning));
    return reply;
}

std::string text(const Reply& reply, const TextStyle&) {
    return reply.config->rendered;
}

}  // namespace

const Operation config_check_operation{
    .name = "config-check",
    .summary = "Find the traps in /etc/network/interfaces",
    .description =
        "Checks a file of interfaces(5) and the files it sources: what ifupdown2 or Proxmox would drop or "
        "read otherwise, and bonds, bridges, VLANs and MTUs that cannot work. Exit code 1 for an error.",
    .parameters = {config_file_parameter()},
    .api = {{.method = "GET", .path = "config/check"}},
    .result_key = "config",
    .result_schema = config_schema,
    .run = run,
    .text = text,
};

}  // namespace pve_rdma
