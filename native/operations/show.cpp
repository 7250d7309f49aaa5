// `pve-rdma show`
#include "desired/from_network.h"
#include "observe/interfaces_file.h"
#include "operations/config_file.h"
#include "operations/reply.h"
#include "operations/reports.h"
#include "operations/request.h"
#include "operations/result_schema.h"
#include "operations/table.h"

namespace pve_rdma {

namespace {

Reply run(const Request& request) {
    const auto from = request.text("from");
    const auto report = from ? load_report(*from) : observe({.sections = {"links"}});
    if (!report) return Reply::failed("show", report.error());
    Reply reply;
    reply.operation = "show";
    const Network network = network_of(*report);
    // The document belongs to these files: apply refuses when they have become others.
    if (!from)
        if (const auto view = read_config(interfaces_path)) reply.digest = config_digest(*view);
    reply.network = RawJson{desired_json(desired_of(network), 2)};
    for (const auto& what : network.untouchable)
        reply.warnings.push_back("not in the document, and never touched: " + what);
    return reply;
}

// The document itself: what is printed is what apply reads.
std::string text(const Reply& reply, const TextStyle&) {
    return reply.network->json + "\n";
}

}  // namespace

const Operation show_operation{
    .name = "show",
    .summary = "Print the present network as a document of what is wanted",
    .description =
        "Links, addresses, routes and rules as pve-rdma apply takes them: edit what is to change, remove the "
        "rest. "
        "Applied as it is, it changes nothing. What guests, the kernel, DHCP and router advertisements bring "
        "is left "
        "out.",
    .parameters = {{.name = "from",
                    .description = "A report that pve-rdma probe --record wrote, in place of this machine.",
                    .placeholder = "FILE",
                    .faces = cli_only}},
    .api = {{.method = "GET", .path = "network"}},
    .ansible = "network_info",
    .result_key = "network",
    .result_schema = network_schema,
    .run = run,
    .text = text,
};

}  // namespace pve_rdma
