// `pve-rdma fabric walk`
#include "operations/fabric_parameters.h"
#include "operations/reply.h"
#include "operations/result_schema.h"
#include "operations/table.h"

namespace pve_rdma {

namespace {

Reply run(const Request& request) {
    auto answer = fabric_walk(port_choice(request), mad_options(request));
    if (!answer) return Reply::failed("fabric-walk", answer.error());
    Reply reply;
    reply.operation = "fabric-walk";
    if (request.flag("dot")) reply.printed = render_dot(*answer);
    reply.walk = std::move(*answer);
    return reply;
}

std::string text(const Reply& reply, const TextStyle&) {
    return render_text(*reply.walk);
}

}  // namespace

const Operation fabric_walk_operation{
    .name = "fabric-walk",
    .summary = "Walk the fabric and print it as a tree",
    .description =
        "Finds every node and link behind a port by direct-routed SMPs; no subnet manager is needed. Links "
        "below what "
        "both ends can do are marked.",
    .parameters = with_fabric_parameters({{.name = "dot",
                                           .type = ParameterType::flag,
                                           .description = "Print a Graphviz graph instead.",
                                           .faces = cli_only}}),
    .needs_root = true,
    .api = {{.method = "GET", .path = "fabric/walk"}},
    .result_key = "fabric",
    .result_schema = fabric_walk_schema,
    .run = run,
    .text = text,
};

}  // namespace pve_rdma
