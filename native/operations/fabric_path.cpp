// `pve-rdma fabric path`
#include "operations/fabric_parameters.h"
#include "operations/reply.h"
#include "operations/result_schema.h"
#include "operations/table.h"

namespace pve_rdma {

namespace {

Reply run(const Request& request) {
    const auto from = Lid::parse(request.text("from").value_or(""));
    if (!from) return Reply::failed("fabric-path", from.error());
    const auto to = Lid::parse(request.text("to").value_or(""));
    if (!to) return Reply::failed("fabric-path", to.error());
    auto answer = fabric_path(port_choice(request), *from, *to, mad_options(request));
    if (!answer) return Reply::failed("fabric-path", answer.error());
    Reply reply;
    reply.operation = "fabric-path";
    reply.path = std::move(*answer);
    return reply;
}

std::string text(const Reply& reply, const TextStyle&) {
    return render_text(*reply.path);
}

}  // namespace

const Operation fabric_path_operation{
    .name = "fabric-path",
    .summary = "Ask the subnet manager for the path between two ports",
    .description =
        "Asks subnet administration for the PathRecord between two LIDs: the MTU and the rate that the way "
        "between them "
        "carries, its service level and packet lifetime.",
    .parameters = with_fabric_parameters({{.name = "from",
                                           .description = "LID of one end.",
                                           .placeholder = "LID",
                                           .required = true,
                                           .positional = true},
                                          {.name = "to",
                                           .description = "LID of the other end.",
                                           .placeholder = "LID",
                                           .required = true,
                                           .positional = true}}),
    .needs_root = true,
    .api = {{.method = "GET", .path = "fabric/path"}},
    .result_key = "fabric",
    .result_schema = fabric_path_schema,
    .run = run,
    .text = text,
};

}  // namespace pve_rdma
