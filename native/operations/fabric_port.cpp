// `pve-rdma fabric port`
#include "base/number.h"
#include "operations/fabric_parameters.h"
#include "operations/reply.h"
#include "operations/result_schema.h"
#include "operations/table.h"

namespace pve_rdma {

namespace {

Reply run(const Request& request) {
    const std::string target = request.text("target").value_or("");
    const auto colon = target.find(':');
    const auto lid = Lid::parse(target.substr(0, colon));
    if (!lid) return Reply::failed("fabric-port", lid.error());
    std::optional<std::uint32_t> port;
    if (colon != std::string::npos) {
        port = parse_number<std::uint8_t>(target.substr(colon + 1));
        if (!port)
            return Reply::failed("fabric-port", {.code = ErrorCode::bad_request,
                                                 .subject = target,
                                                 .message = "not a port number after the colon",
                                                 .hint = "as 2:7, port 7 of the switch with LID 2"});
    }
    auto answer = fabric_port(port_choice(request), *lid, port, mad_options(request));
    if (!answer) return Reply::failed("fabric-port", answer.error());
    Reply reply;
    reply.operation = "fabric-port";
    reply.port = std::move(*answer);
    if (!request.flag("keys") && reply.port->info) reply.port->info->mkey.reset();
    return reply;
}

std::string text(const Reply& reply, const TextStyle&) {
    return render_text(*reply.port);
}

}  // namespace

const Operation fabric_port_operation{
    .name = "fabric-port",
    .summary = "Show one port of the fabric",
    .description =
        "Asks the node with a LID for its NodeInfo, NodeDescription, PortInfo, P_Key table and port "
        "counters; a switch for its SwitchInfo too. LID:P names port P of a switch or HCA.",
    .parameters =
        with_fabric_parameters({{.name = "target",
                                 .description = "LID of the node, or LID:PORT.",
                                 .placeholder = "LID[:PORT]",
                                 .required = true,
                                 .positional = true},
                                {.name = "keys",
                                 .type = ParameterType::flag,
                                 .description = "Show the M_Key too. Who knows it can change the port.",
                                 .faces = cli_only}}),
    .needs_root = true,
    .api = {{.method = "GET", .path = "fabric/port"}},
    .result_key = "fabric",
    .result_schema = fabric_port_schema,
    .run = run,
    .text = text,
};

}  // namespace pve_rdma
