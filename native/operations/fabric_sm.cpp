// `pve-rdma fabric sm`
#include "operations/fabric_parameters.h"
#include "operations/reply.h"
#include "operations/result_schema.h"
#include "operations/table.h"

namespace pve_rdma {

namespace {

Reply run(const Request& request) {
    auto answer = fabric_sm(port_choice(request), mad_options(request));
    if (!answer) return Reply::failed("fabric-sm", answer.error());
    Reply reply;
    reply.operation = "fabric-sm";
    reply.sm = std::move(*answer);
    return reply;
}

std::string text(const Reply& reply, const TextStyle&) {
    return render_text(*reply.sm);
}

}  // namespace

const Operation fabric_sm_operation{
    .name = "fabric-sm",
    .summary = "Ask the subnet manager who it is",
    .description =
        "Asks the master subnet manager of the fabric behind a port for its GUID, priority, state and "
        "activity, and "
        "for the path to it and the MTU of the IPoIB group. That a port knows the LID of a subnet manager "
        "proves "
        "nothing; that it answers does.",
    .parameters = with_fabric_parameters({}),
    .needs_root = true,
    .api = {{.method = "GET", .path = "fabric/sm"}},
    .result_key = "fabric",
    .result_schema = fabric_sm_schema,
    .run = run,
    .text = text,
};

}  // namespace pve_rdma
