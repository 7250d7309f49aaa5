// `pve-rdma ofed status`
#include "ofed/node_input.h"
#include "ofed/stack.h"
#include "operations/ofed_text.h"
#include "operations/reply.h"
#include "operations/request.h"
#include "operations/result_schema.h"
#include "operations/table.h"

namespace pve_rdma {

namespace {

Reply run(const Request& request) {
    const auto machine = Machine::open(request.text("root").value_or("/"));
    if (!machine) return Reply::failed("ofed-status", machine.error());
    Reply reply;
    reply.operation = "ofed-status";
    const auto release = machine->text("/proc/sys/kernel/osrelease");
    const auto facts = ofed::read_node_facts(
        *machine, release ? std::optional<std::string>(*release) : std::optional<std::string>());
    for (const auto& unread : facts.unread)
        reply.warnings.push_back(unread.what + ": " + unread.text);
    if (!release) reply.warnings.push_back(release.error().text());
    const auto installed = ofed::read_installed(*machine);
    if (!installed) reply.warnings.emplace_back("dpkg's status file could not be read");
    reply.stack = ofed::driver_stack(facts, installed ? &*installed : nullptr);
    // Not known is not fine.
    reply.ok = reply.stack->half_done.empty() && reply.stack->stack != "unknown";
    return reply;
}

}  // namespace

const Operation ofed_status_operation{
    .name = "ofed-status",
    .summary = "Show whose driver this node has: the kernel's, the vendor's, or parts of both",
    .description =
        "Whose kernel modules run, whose would be loaded by each installed kernel, whose libraries are "
        "installed; "
        "what is half done, what an earlier driver has left, and the way back to the kernel's own. Exit code "
        "1 "
        "when "
        "something is half done or could not be found out. Changes nothing.",
    .parameters =
        {{.name = "root",
          .description =
              "Read the files of a recorded tree (sys/, proc/, etc/, var/) in place of this machine.",
          .placeholder = "DIR",
          .faces = cli_only}},
    .api = {{.method = "GET", .path = "ofed/status"}},
    .ansible = "ofed_status",
    .result_key = "ofed",
    .result_schema = ofed_status_schema,
    .run = run,
    .text = ofed_status_text,
};

}  // namespace pve_rdma
